"""What tells of a person. Each is known by its form, and by its checksum where it has one."""

import re
from collections.abc import Callable, Iterator
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from attrs import field, frozen

from ._view import Found, View, compiled

__all__ = ["PII", "Email", "Personal"]


@frozen
class Personal:
    """A family of a form. The pattern takes the first character, and looks ahead for the rest.

    So it is tried at every place where it could begin, and what only looks like one hides none behind it. `length`
    says how much of what has the form is one, or 0.
    """

    label: str
    needs: str
    pattern: re.Pattern[str] = field(converter=compiled)
    length: Callable[[str], int]
    crosses: re.Pattern[str] | None = None  # what may become one, where there is a space in it

    @property
    def marks(self) -> tuple[str, ...]:
        """Digits, and what else is in each."""
        return (self.needs,) if len(self.needs) > 1 else tuple("0123456789")

    def spans(self, view: View) -> Iterator[Found]:
        """Find each of the family."""
        if self.needs in view.text:
            for form in self.pattern.finditer(view.text):
                length = self.length(form[0] + form[1])
                if length:
                    yield form.start(), form.start() + length, self.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:
        """Find what may become one, or may have been taken for one."""
        if self.crosses is not None:
            yield from (form.span() for form in self.crosses.finditer(text))


DOMAIN = compiled(r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}+")
LOCAL_PART = re.compile(r"[\w.%+-]+\Z")


@frozen
class Email:
    """Addresses of e-mail (RFC 5321, without quoted names): found by the `@`, and looked back from there."""

    label: str = "email"
    marks: tuple[str, ...] = ("@",)

    def spans(self, view: View) -> Iterator[Found]:
        """Find each address."""
        for domain in DOMAIN.finditer(view.text) if "@" in view.text else ():
            at = domain.start()
            local = LOCAL_PART.search(view.text[max(0, at - 64) : at])
            if local is not None:
                yield at - len(local[0]), domain.end(), self.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:  # noqa: ARG002
        """Find nothing: there is no space in an address."""
        return iter(())


# ISO 13616: how long an account number is, in each country that has one.
IBAN_LENGTHS = {
    country: int(length)
    for line in """
    15 NO;16 BE;18 DK FI FK FO GL NL SD;19 MK SI;20 AT BA EE KZ LT LU MN XK;21 CH HR LI LV
    22 BG BH CR DE GB GE IE ME RS VA;23 AE GI IL IQ OM SO TL;24 AD CZ ES MD PK RO SA SE SK TN VG;25 LY PT ST
    26 IS TR;27 BI DJ FR GR IT MC MR SM;28 AL AZ BY CY DO GT HU LB NI PL SV;29 BR EG PS QA UA;30 JO KW MU
    31 MT SC;32 LC;33 RU
    """.replace("\n", ";").split(";")
    if line.strip()
    for length, *countries in [line.split()]
    for country in countries
}


def iban(text: str) -> int:
    """Check country, length and remainder (ISO 7064, MOD 97-10)."""
    wanted = IBAN_LENGTHS.get(text[:2], 0)
    taken = [at for at, symbol in enumerate(text) if symbol != " "][:wanted]
    if not wanted or len(taken) < wanted or text[taken[-1] + 1 : taken[-1] + 2].isalnum():
        return 0
    number = "".join(text[at] for at in (*taken[4:], *taken[:4]))
    return taken[-1] + 1 if int("".join(str(int(symbol, 36)) for symbol in number)) % 97 == 1 else 0


# ISO/IEC 7812: what the number of each scheme begins with, and how long it is.
SCHEMES = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12,14}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|(?:6011|6[45]\d\d|62\d\d|5[06-8]\d\d|35\d\d)\d{12,15}"
)


def card(text: str) -> int:
    """Check the scheme, and the last digit (ISO/IEC 7812-1, Luhn)."""
    digits = text.replace(" ", "").replace("-", "")
    odd, even = digits[::-2], digits[-2::-2]
    total = sum(map(int, odd)) + sum(int(digit) * 2 - (digit > "4") * 9 for digit in even)
    return len(text) if total % 10 == 0 and SCHEMES.match(digits) else 0


def ssn(text: str) -> int:
    """Check that a number can have been given out (no 000, 666, 9xx; no 00; no 0000)."""
    area, group, serial = text.split("-")
    return 0 if area in ("000", "666") or area[0] == "9" or group == "00" or serial == "0000" else len(text)


def ip(text: str) -> int:
    """Check an address, and that it is of somebody: not of this machine, nor of all."""
    try:
        address = IPv6Address(text) if ":" in text else IPv4Address(text)
    except AddressValueError:
        return 0
    nobody = address.is_loopback or address.is_unspecified or text == "255.255.255.255"
    return 0 if nobody or not any(map(str.isdecimal, text)) else len(text)


NUMBERS = compiled(r"[+(\d][\d ().-]*+")

PII: tuple[Email | Personal, ...] = (
    Email(),
    Personal(
        "iban",
        "",
        r"[A-Z](?<![A-Za-z0-9][A-Z])(?=([A-Z]\d\d(?: ?[A-Z0-9]){11,30}+))",
        iban,
        compiled(r"[A-Z]{2}\d\d(?: ?[A-Z0-9])*+ ?"),
    ),
    Personal(
        "card",
        "",
        r"\d(?<![\d.]\d)(?=(\d{12,18}+(?!\.?\d)|\d{3}([ -])\d{4}\2\d{4}\2\d{4}(?:\2\d{3})?+(?!\d)"
        r"|\d{3}([ -])\d{6}\3\d{4,5}+(?!\d)))",
        card,
        NUMBERS,
    ),
    Personal("ssn", "-", r"\d(?<![\d-]\d)(?=(\d\d-\d\d-\d{4})(?![\d-]))", ssn),
    Personal("ip", ".", r"\d(?<![\d.]\d)(?=(\d{0,2}(?:\.\d{1,3}){3})(?!\.?\d))", ip),
    Personal(
        "ip",
        "::",
        r"[0-9A-Fa-f:](?<![0-9A-Za-z_:.][0-9A-Fa-f:])(?=([0-9A-Fa-f:]{1,39}(?:\.\d{1,3}){0,3})(?![0-9A-Za-z_:]))",
        ip,
    ),
    Personal(
        "phone",
        "",
        r"[+(\d](?<![\w.+-][+(\d])(?=((?<=\+)\d(?:[ ().-]{0,2}\d){6,14}+(?!\d)"
        r"|(?<=\()\d{3}\) ?\d{3}[ .-]\d{4}(?!\d)|(?<=\d)\d\d([ .-])\d{3}\2\d{4}(?!\.?\d)))",
        len,
        NUMBERS,
    ),
)
