"""A secret of each family is gone, wherever it stands; what it was is told."""

import re

import pytest
from tests.packs.redaction.made import DEFAULT, TOKENS, body, data, private_key, tokens

from seamlaw_packs.redaction import SECRETS, Redactor

# Ways in which a token stands in a text; what is around it is kept.
PLACES = [
    "{}",
    "see {} there",
    "a\n{}\nb",
    "'{}'",
    '{"note": "{}"}',
    '{\\"note\\": \\"{}\\"}',
    "({})",
    "[{}]",
    "<{}>",
    "x={}&y=1",
    "https://example.net/{}/x",
    "line\\n{}\\nline",
    "\t{}\t",
    "é{}é",
    "😀{}😀",
    "İ {} İ",
    "before,{},after",
    "`{}`.",
    "note:{};",
    "{} {}",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("label", "token"), TOKENS, ids=[f"{label}-{at}" for at, (label, _) in enumerate(TOKENS)])
def test_a_token_is_gone_and_named_in_every_place(label: str, token: str, place: str) -> None:
    """What stands around it stays, to the character."""
    assert DEFAULT.text(place.replace("{}", token)) == place.replace("{}", f"[redacted:{label}]")


@pytest.mark.parametrize(("label", "token"), TOKENS)
def test_a_token_is_found_by_its_own_family_alone(label: str, token: str) -> None:
    """Each family works without the others."""
    only = Redactor([family for family in SECRETS if family.label == label])
    assert only.text(f"see {token} there") == f"see [redacted:{label}] there"
    others = Redactor([family for family in SECRETS if family.label not in (label, "named")])
    assert label not in others.text(f"see {token} there")


def test_every_family_of_tokens_has_a_token_here() -> None:
    """A family without a test would be a claim without a check."""
    around = {"named", "url-password", "slack-webhook", "azure-signature", "bearer-token"}
    assert {family.label for family in SECRETS} - around == {label for label, _ in TOKENS}


@pytest.mark.parametrize("seed", range(20))
def test_tokens_of_any_letters_are_found(seed: int) -> None:
    """Also those with few digits, and with many hyphens."""
    for label, token in tokens(seed):
        assert DEFAULT.text(token) == f"[redacted:{label}]"


def test_tokens_that_follow_one_another_without_a_space_are_gone() -> None:
    """In whatever order they come: nothing of the second is left, though it begins behind a letter."""
    for _, first in TOKENS:
        for label, second in TOKENS:
            if not re.match(r"\w+\.", second) or label == "jwt":  # behind a letter, what is before its point goes
                left = DEFAULT.text(first + second)
                assert first not in left
                assert second[12:] not in left


@pytest.mark.parametrize("value", ["hunter2x", "Zq8kV2mW9xT4bN7c", "correcthorse1batterystaple"])
@pytest.mark.parametrize("way", data("named.toml")["plain"])
def test_a_value_is_gone_behind_its_name(way: str, value: str) -> None:
    """And nothing else is: the text around it stays."""
    kept = DEFAULT.text(way.replace("{}", value))
    before, _, after = way.partition("{}")
    assert value not in kept
    assert kept.endswith(after) or "ookie" in way  # a line of cookies goes whole
    assert kept.startswith(re.sub(r"(?i)(bearer|basic|token|session)[ =]$", "", before))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('password="two words"', 'password="[redacted:password]"'),
        (r'password="with \" quote"', 'password="[redacted:password]"'),
        ("password='it\\'s'", "password='[redacted:password]'"),
        (r"{\"password\": \"a\\\"b\", \"x\": 1}", r"{\"password\": \"[redacted:password]\", \"x\": 1}"),
        ('password="cut off', 'password="[redacted:password]'),
        ("password=letmein", "password=[redacted:password]"),
        ("PIN password: 1234567", "PIN password: [redacted:password]"),
        ("password=1234", "password=[redacted:password]"),
        ("password_1=hunter2 password_2=hunter3", "password_1=[redacted:password] password_2=[redacted:password]"),
        ("tool --password --token a1b2c3d4", "tool --password --token [redacted:token]"),
        ("tool --password --password=hunter2", "tool --password --password=[redacted:password]"),
        ('{"cookie": "a=b; c=d"}', '{"cookie": "[redacted:cookie]"}'),
        ("password=token=secret1", "password=[redacted:password]"),
        ("Authorization: Digest a=b, c=d", "Authorization: [redacted:authorization]"),
        ("token: Bearer Zq8kV2mW9xT4", "token: [redacted:token]"),
        ("Cookie: a=b; c=d\nHost: x", "Cookie: [redacted:cookie]\nHost: x"),
        ("api_key=abcdefghijklmnop", "api_key=abcdefghijklmnop"),
        ("api_key=abcdefghijklmnop-qrstuv", "api_key=[redacted:api-key]"),
    ],
)
def test_the_value_ends_where_it_ends(text: str, kept: str) -> None:
    """Quotes, escapes, separators and lines say where."""
    assert DEFAULT.text(text) == kept


def test_the_family_says_more_than_the_name() -> None:
    """A token under a name is told by its own label, and the whole value goes."""
    token = dict(TOKENS)["aws-access-key"]
    assert DEFAULT.text(f"api_key={token}") == "api_key=[redacted:aws-access-key]"
    assert DEFAULT.text(f'api_key="x{token}y z"') == 'api_key="[redacted:aws-access-key]"'


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n", "\n    ", '\\n" +\n  "', "\\\\n"])
def test_a_private_key_is_gone_however_its_lines_are_kept(kind: str, newline: str) -> None:
    """In a file, in JSON, in JSON in JSON, indented in YAML, or put together in code."""
    key = private_key(1, kind, newline)
    assert DEFAULT.text(f"key: |\n{key}\nnext: 1") == "key: |\n[redacted:private-key]\nnext: 1"


def test_a_private_key_with_headers_or_without_an_end_is_gone() -> None:
    """An encrypted one, one of PGP, and one that was cut off."""
    head = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n"
    lines = private_key().split("\n")[1:]
    assert DEFAULT.text("\n".join([head, *lines])) == "[redacted:private-key]"
    assert DEFAULT.text("\n".join([head, *lines[:3]])) == "[redacted:private-key]"
    pgp = "\n".join(["-----BEGIN PGP PRIVATE KEY BLOCK-----", "Version: x 1", "", *lines[:-1], "=abcd"])
    assert DEFAULT.text(f"{pgp}\n-----END PGP PRIVATE KEY BLOCK-----") == "[redacted:private-key]"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("https://hooks.slack.com/services/T0/B0/{}", "https://hooks.slack.com/services/[redacted:slack-webhook]"),
        ("https://x.net/?sv=1&sig={}%3D&se=2", "https://x.net/?sv=1&sig=[redacted:azure-signature]&se=2"),
        ("postgres://ann:p%40ss@db/shop", "postgres://ann:[redacted:url-password]@db/shop"),
        ("postgres://ann:p@ss:word@db/shop", "postgres://ann:[redacted:url-password]@db/shop"),
        ("got Bearer {} there", "got Bearer [redacted:bearer-token] there"),
    ],
)
def test_secrets_in_urls_and_headers_are_gone(text: str, kept: str) -> None:
    """The address and the user stay."""
    assert DEFAULT.text(text.replace("{}", body("alnum", 40, 1))) == kept


@pytest.mark.parametrize("text", data("mistaken.toml")["hidden"])
def test_a_harmless_text_that_is_hidden_is_known(text: str) -> None:
    """When one of these is right, it leaves the list of mistakes."""
    assert DEFAULT.text(text) != text


@pytest.mark.parametrize("text", data("mistaken.toml")["kept"])
def test_a_secret_that_is_not_found_is_known(text: str) -> None:
    """When one of these is found, it leaves the list of mistakes, and the docs."""
    assert re.search("hunter2|swordfish|more|ter2|aHVudGVyMg", DEFAULT.text(text))
