"""What tells of a person is hidden where that was asked for, and its checksum is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.redaction.made import ALL, DEFAULT

from seamlaw_packs.redaction import PII, Redactor
from seamlaw_packs.redaction._pii import IBAN_LENGTHS, card, iban


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("write to ann@example.net.", "write to [redacted:email]."),
        ("<ann.b+c@mail.example.co.uk>", "<[redacted:email]>"),
        ("käthe@example.net", "[redacted:email]"),
        ("ann@localhost", "ann@localhost"),
        ("@pytest.fixture", "@pytest.fixture"),
        ("a @ b.net", "a @ b.net"),
        ("IBAN GB82 WEST 1234 5698 7654 32, or", "IBAN [redacted:iban], or"),
        ("DE89370400440532013000", "[redacted:iban]"),
        ("DE88370400440532013000", "DE88370400440532013000"),
        ("AB12 DE89 3704 0044 0532 0130 00", "AB12 [redacted:iban]"),
        ("NO93 8601 1117 947 AND SO ON", "[redacted:iban] AND SO ON"),
        ("XX89370400440532013000", "XX89370400440532013000"),
        ("card 4111 1111 1111 1111 exp 12/27", "card [redacted:card] exp 12/27"),
        ("4111-1111-1111-1111", "[redacted:card]"),
        ("4111111111111111", "[redacted:card]"),
        ("4111111111111112", "4111111111111112"),
        ("378282246310005", "[redacted:card]"),
        ("3782 822463 10005", "[redacted:card]"),
        ("5555555555554444", "[redacted:card]"),
        ("6011111111111117", "[redacted:card]"),
        ("3530111333300000", "[redacted:card]"),
        ("30569309025904", "[redacted:card]"),
        ("1234 4111 1111 1111 1111", "1234 [redacted:card]"),
        ("0.4111111111111111", "0.4111111111111111"),
        ("41111111111111110000000", "41111111111111110000000"),
        ("1700000000000", "1700000000000"),
        ("ssn 078-05-1120", "ssn [redacted:ssn]"),
        ("000-05-1120 666-05-1120 900-05-1120 078-00-1120 078-05-0000",) * 2,
        ("1078-05-1120",) * 2,
        ("from 10.1.2.3:80", "from [redacted:ip]:80"),
        ("127.0.0.1 0.0.0.0 255.255.255.255 256.1.1.1 1.2.3",) * 2,
        ("1.2.3.4.5",) * 2,
        ("2001:db8::8a2e:370:7334", "[redacted:ip]"),
        ("[2001:db8::1]:80", "[[redacted:ip]]:80"),
        ("::1 and :: and std::abc::def",) * 2,
        ("12:30:45 aa:bb:cc:dd:ee:ff",) * 2,
        ("call +44 20 7946 0958 now", "call [redacted:phone] now"),
        ("+1 (555) 123-4567", "[redacted:phone]"),
        ("(555) 123-4567", "[redacted:phone]"),
        ("555-123-4567", "[redacted:phone]"),
        ("555-123-45678",) * 2,
        ("1+1=2, 3 + 4567890",) * 2,
    ],
)
def test_each_family_of_pii(text: str, kept: str) -> None:
    """By form and checksum; what only looks alike stays."""
    assert ALL.text(text) == kept


def test_pii_is_opt_in() -> None:
    """By default a person's data stays: an address is often what a call is about."""
    text = "ann@example.net 4111111111111111 10.1.2.3 +44 20 7946 0958 078-05-1120 DE89370400440532013000"
    assert DEFAULT.text(text) is text
    assert {family.label for family in PII} == {"email", "iban", "card", "phone", "ssn", "ip"}
    assert (
        Redactor([family for family in PII if family.label == "email"]).text(text).startswith("[redacted:email] 4111")
    )


def luhn(digits: str) -> int:
    """Give the digit that makes the sum right, by the definition in ISO/IEC 7812-1, annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (2 if place % 2 == 0 else 1)
        total += number // 10 + number % 10
    return -total % 10


@given(st.text("0123456789", min_size=14, max_size=14), st.integers(0, 9))
def test_one_last_digit_in_ten_makes_a_card(digits: str, last: int) -> None:
    """The right one does, and no other."""
    number = f"4{digits}{last}"
    assert (card(number) > 0) == (last == luhn(f"4{digits}"))


@given(
    st.sampled_from(sorted(IBAN_LENGTHS)),
    st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=29, max_size=29),
    st.integers(0, 99),
)
def test_an_iban_has_the_right_check_digits(country: str, account: str, check: int) -> None:
    """By the definition: 98 less the remainder of the number with 00, in its place at the end."""
    account = account[: IBAN_LENGTHS[country] - 4]
    number = int("".join(str(int(symbol, 36)) for symbol in f"{account}{country}00"))
    right = 98 - number % 97
    if 2 <= right <= 98 and 2 <= check <= 98:
        assert (iban(f"{country}{check:02}{account}") > 0) == (check == right)
