"""A URL is judged by where every reader of URLs takes it, and what two of them may read differently is blocked."""

import ipaddress
import socket
import time
import unicodedata
from urllib.parse import urlsplit

import httpx
import idna
import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic_core import Url
from tests.packs.network.tables import LISTED, OPEN, blocked, corpus, fetch
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Globs, ToolCall, decide
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.network import Network, _entries, _names, _network, is_public_address
from seamlaw_packs.network._doubt import Doubtful
from seamlaw_packs.network._names import plain_name
from seamlaw_packs.network._url import DEFAULT_PORTS, Target, read_url

HOSTILE = [call for _, call in corpus("hostile")]
HARMLESS = [call for _, call in corpus("harmless")]
URLS = [str(call.arguments["url"]) for call in (*HOSTILE, *HARMLESS) if "url" in call.arguments]
PIECES = [
    *(
        "https",
        "HTTP",
        "file",
        "javascript",
        ":",
        "/",
        "//",
        "://",
        "\\",
        "@",
        "#",
        "?",
        "%",
        "%2e",
        "%40",
        ".",
        "[",
        "]",
    ),
    *(
        "example.com",
        ".example.org",
        "evil.example",
        "a",
        "-",
        "_",
        "127.0.0.1",
        "0x7f",
        "1",
        "::1",
        ":443",
        ":80",
        ":0",
    ),
    *(
        "\t",
        "\n",
        " ",
        "\0",
        "\u00a0",
        "\u3002",
        "\uff0f",
        "\uff20",
        "\u0430",
        "\u00ad",
        "\u200b",
        "xn--",
        "*",
        ",",
        ";",
    ),
]
PIECED = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Give a URL of the corpora with a piece put in somewhere, or a part taken out."""
    url, piece = draw(st.sampled_from(URLS)), draw(st.sampled_from([*PIECES, ""]))
    start = draw(st.integers(0, min(len(url), 40)))
    return url[:start] + piece + url[start + draw(st.integers(0, 3)) :]


ODD = st.one_of(PIECED, mutated(), st.builds("https://{}/{}".format, PIECED, PIECED), st.text(max_size=30))


def said(pack: Network, call: ToolCall) -> str:
    """Decide a call as a host does: why it is blocked, or that it proceeds."""
    outcome = decide(pack.interceptors(), TOOL_CALL, call)
    return outcome.reason or outcome.verdict.value


# The corpora


def test_no_hostile_url_passes_the_list() -> None:
    """And with all hosts on the list, only those pass that are plain and lead elsewhere."""
    assert len(HOSTILE) >= 300 <= len(HARMLESS)
    assert blocked(LISTED, "hostile").total() == len(HOSTILE)
    passed = {kind for kind, call in corpus("hostile") if OPEN.judge(call) is None}
    assert passed == {"elsewhere"}


def test_four_harmless_urls_are_blocked() -> None:
    """Two with characters that nobody sees, and two with signs that no URL may have unless they are encoded."""
    assert blocked(LISTED, "harmless") == {"unicode": 2, "sites": 2}
    assert set(blocked(OPEN, "harmless")) == {"unicode", "sites", "idn", "port", "case", "host"}


def test_no_input_is_in_a_corpus_twice() -> None:
    """Each counts once."""
    given = [tuple(call.arguments.items()) for call in (*HOSTILE, *HARMLESS)]
    assert len(set(given)) == len(given)


# The laws


def read_by_all(url: str) -> set[tuple[str, str, int | None]]:
    """Read a URL as its readers do: WHATWG's standard, the standard library, and a client."""
    whatwg, library, client = Url(url), urlsplit(url), httpx.URL(url)
    found = [
        (whatwg.scheme, whatwg.host or "", whatwg.port),
        (library.scheme, library.hostname or "", library.port),
        (client.scheme, client.raw_host.decode(), client.port),
    ]
    return {(scheme, _in_ascii(host.strip("[]")), port or DEFAULT_PORTS[scheme]) for scheme, host, port in found}


def _in_ascii(host: str) -> str:
    if ":" in host:
        return ipaddress.IPv6Address(host).compressed
    return host if host.isascii() else idna.encode(host).decode()


@given(ODD)
@example("https://example.com")
def test_whatever_is_allowed_is_read_alike_by_all(url: str) -> None:
    """Where the pack allows a URL, no two readers differ about where it leads, and it is there that it was judged."""
    for pack in (LISTED, OPEN):
        if pack.judge(fetch(url=url)) is None:
            target = read_url(url)
            assert read_by_all(url) == {(target.scheme, target.host.strip("[]"), target.port)}


def test_every_harmless_url_is_read_alike_by_all() -> None:
    """So the law before is about something."""
    for url in [url for url in URLS if LISTED.judge(fetch(url=url)) is None]:
        target = read_url(url)
        assert read_by_all(url) == {(target.scheme, target.host.strip("[]"), target.port)}


NUMBERS = st.lists(
    st.one_of(
        st.integers(0, 300).map(str), st.sampled_from(["0x7f", "0177", "0", "00", "1e1", "0x", "a", "", "65535"])
    ),
    min_size=1,
    max_size=5,
).map(".".join)


@given(NUMBERS)
def test_no_name_is_an_address_to_the_system(host: str) -> None:
    """What the C library takes for an IPv4 address is one to the pack, in the only form it reads, or is blocked."""
    try:
        address = socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return
    try:
        assert read_url(f"https://{host}/").host == address == host
    except Doubtful:
        assert address != host


@given(ODD)
def test_any_text_is_answered(text: str) -> None:
    """No text makes the pack fail: it is allowed or blocked, and no reason quotes it."""
    searching = Network(["example.com"], searched="*")
    for pack, call in ((LISTED, fetch(url=text)), (LISTED, fetch(host=text)), (searching, fetch(x=text))):
        reason = said(pack, call)
        assert "interceptor error" not in reason
        assert len(text) < 20 or text not in reason


@given(st.sampled_from([*HOSTILE, *HARMLESS]), st.integers(0, len(LISTED.allow) - 1))
def test_a_shorter_list_allows_no_more(call: ToolCall, out: int) -> None:
    """What is allowed without an entry is so with it."""
    shorter = evolve(LISTED, allow=LISTED.allow[:out] + LISTED.allow[out + 1 :])
    assert shorter.judge(call) is not None or LISTED.judge(call) is None


@given(st.characters(codec="utf-8"), st.sampled_from(["", "a", "\u00fc", "\u0430", "\u4f8b"]))
@example("\u13a0", "a")  # a letter of Cherokee, which folds the other way round
@example("\u034f", "a")  # a mark without a shape, which UTS 46 leaves out
@example("\u115f", "\u4f8b")  # a blank that is a letter
@example("\u00bd", "a")  # a fraction
@example("\u2603", "a")  # a sign, which IDNA 2008 refuses
def test_a_name_has_the_form_that_all_standards_give_it(letter: str, before: str) -> None:
    """Or is in doubt: IDNA 2008, UTS 46 and IDNA 2003 give no other ASCII for a label that the pack reads."""
    label = f"{before}{letter}"
    try:
        found = plain_name(f"{label}.example")
    except Doubtful:
        return
    for standard in (_idna_2008, _uts_46, _idna_2003):
        assert standard(label) in (None, found.removesuffix(".example"))


@pytest.mark.parametrize("label", ["\u2603", "\u00b7a", "a\u0661", "\u13a0", "a\u034f", "\u200da"])
def test_a_sign_a_digit_or_what_nobody_sees_is_no_letter_of_a_name(label: str) -> None:
    """Some standard changes or refuses each, so that not even the list can have it but in its ASCII form."""
    with pytest.raises(InvalidPack, match="read in more ways than one"):
        Network([f"{label}.example"])


def _idna_2008(label: str) -> str | None:
    try:
        return idna.encode(label.lower()).decode()
    except idna.IDNAError:
        return None


def _uts_46(label: str) -> str | None:
    try:
        return idna.encode(label, uts46=True).decode()
    except idna.IDNAError:
        return None


def _idna_2003(label: str) -> str | None:
    try:
        return label.encode("idna").decode().lower()
    except UnicodeError:
        return None


@given(st.one_of(st.ip_addresses(), st.ip_addresses(v=6, network="2000::/3")))
def test_no_reserved_address_is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    """Whatever is public is so for the standard library, too."""
    assert address.is_global or not is_public_address(str(address))


@pytest.mark.parametrize(
    ("text", "public"),
    [
        *[(one, True) for one in ("8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111")],
        *[(one, False) for one in ("10.0.0.1", "127.0.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "0.0.0.0")],
        *[
            (one, False)
            for one in ("::1", "fe80::1", "fe80::1%eth0", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808::")
        ],
        *[
            (one, False)
            for one in ("", "example.com", "127.1", "0x8.8.8.8", "8.8.8.8.", "2606:4700::1111%0", "\u0661.1.1.1")
        ],
    ],
)
def test_a_host_can_check_what_it_connects_to(text: str, public: bool) -> None:
    """With the table of the pack, once a name is resolved."""
    assert is_public_address(text) is public


# The list


@pytest.mark.parametrize(
    ("entry", "allowed", "not_allowed"),
    [
        ("example.com", ["https://example.com", "https://example.com:443/x"], ["https://a.example.com", "http://example.com"]),
        ("*.example.com", ["https://a.example.com", "https://a.b.example.com"], ["https://example.com", "https://aexample.com"]),
        ("http://example.com", ["http://example.com", "http://example.com:80"], ["https://example.com"]),
        ("example.com:8443", ["https://example.com:8443"], ["https://example.com", "https://example.com:443"]),
        ("HTTPS://Example.COM:443", ["https://example.com"], ["https://example.com:8443"]),
        ("*", ["https://example.com", "https://8.8.8.8"], ["http://example.com", "https://localhost", "https://10.0.0.1"]),
        ("*:8443", ["https://example.com:8443"], ["https://example.com"]),
        ("http://*", ["http://example.com"], ["https://example.com", "http://router"]),
        ("*.internal", ["https://db.internal"], ["https://metadata.google.internal", "https://internal"]),
        ("metadata.google.internal", ["https://metadata.google.internal"], ["https://google.internal"]),
        ("http://127.0.0.1:8000", ["http://127.0.0.1:8000/x"], ["http://127.0.0.1/", "http://127.1:8000", "http://localhost:8000"]),
        ("http://[::1]:8000", ["http://[::1]:8000", "http://[0:0::1]:8000"], ["http://[::1]", "http://[::2]:8000"]),
        ("b\u00fccher.example", ["https://xn--bcher-kva.example", "https://b\u00fccher.example"], ["https://bucher.example"]),
        ("*.b\u00fccher.example", ["https://a.b\u00fccher.example"], ["https://\u0430.b\u00fccher.example"]),
        ("*.example", ["https://bucher.example"], ["https://b\u00fccher.example", "https://xn--bcher-kva.example"]),
    ],
)  # fmt: skip
def test_what_an_entry_allows(entry: str, allowed: list[str], not_allowed: list[str]) -> None:
    """A name alone, names under it, a scheme and a port where they are said, and what is near only where it is."""
    pack = Network([entry])
    assert [said(pack, fetch(url=url)) for url in allowed] == ["proceed"] * len(allowed)
    assert [url for url in not_allowed if said(pack, fetch(url=url)) == "proceed"] == []


BAD_ENTRIES = [
    *("example.com/", "https://example.com/x", "user@example.com", "ex*mple.com", "a.*.example.com", "*example.com"),
    *("**", "*.*", "*.", ".example.com", "example.com.", "example.com:", "example.com:65536", "example.com:*", "127.1"),
    *("010.0.0.1", "*.10.0.0.1", "*.[::1]", "::1", "10.0.0.0/8", "javascript://example.com", "file://example.com"),
    *("[::ffff:808:808]", "://example.com", "*://example.com", "ex\u00adample.com", "EX\u00c4MPLE.com", " example.com"),
]


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"allow": []}, "allow"),
        ({"allow": "example.com"}, "allow"),
        ({"allow": ["example.com", ""]}, "allow[1]"),
        ({"allow": [7]}, "allow[0]"),
        *[({"allow": ["example.com", bad]}, "allow[1]") for bad in BAD_ENTRIES],
        ({"allow": ["*"], "tools": {}}, "tools"),
        ({"allow": ["*"], "tools": ["fetch"]}, "tools"),
        ({"allow": ["*"], "tools": {"fetch": "url"}}, "tools['fetch']"),
        ({"allow": ["*"], "tools": {"fetch[": ["url"]}}, "tools['fetch[']"),
        ({"allow": ["*"], "hosts": "host"}, "hosts"),
        ({"allow": ["*"], "searched": []}, "searched"),
        ({"allow": ["*"], "searched": Globs()}, "searched"),
        ({"allow": ["*"], "tools": {"fetch": ["url??"]}}, "tools['fetch'][0]"),
        ({"allow": ["*"], "hosts": ["host?"]}, "hosts[0]"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(settings: dict[str, object], place: str) -> None:
    """With the place of what is wrong."""
    with pytest.raises(InvalidPack) as refused:
        Network(**settings)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert refused.value.place == place


def test_the_configuration_of_plain_data_is_that_of_python() -> None:
    """What TOML and JSON give makes the same pack, and a pack may be made of another."""
    data = {"allow": ["example.com"], "tools": {"get": ["url"]}, "hosts": ["host"], "searched": "bash"}
    pack = Network(**data)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert pack == Network(("example.com",), tools={"get": ("url",)}, hosts=("host",), searched=["bash"])
    assert evolve(pack) == pack
    assert hash(pack) == hash(evolve(pack))


# The arguments


@pytest.mark.parametrize("given", [None, 7, True, {}, [], "", ["https://example.com", 7], [["https://example.com"]]])
def test_a_url_that_is_missing_or_no_text_blocks(given: object) -> None:
    """So does a list in which one is."""
    pack = Network(["example.com"])
    assert said(pack, fetch(url=given)) != "proceed"
    assert said(pack, ToolCall("1", "fetch", {"link": "https://example.com"})) == "a URL (url) is missing"


def test_every_url_of_a_list_is_judged() -> None:
    """One that is not allowed blocks all."""
    pack = Network(["example.com"])
    assert said(pack, fetch(url=["https://example.com/a", "https://example.com/b"])) == "proceed"
    assert said(pack, fetch(url=["https://example.com", "https://evil.example"])) != "proceed"


def test_any_tool_with_a_url_is_judged_and_one_without_is_not() -> None:
    """Unless told otherwise: by the names that arguments usually have, however they are written."""
    pack = Network(["example.com"])
    for name in ("url", "URL", "baseUrl", "base_url", "base-url", "urls", "endpoint", "webhookUrl", "uri", "host"):
        assert said(pack, ToolCall("1", "notify", {name: "https://evil.example"})) != "proceed", name
        assert said(pack, ToolCall("1", "notify", {name: "https://example.com"})) == "proceed", name
        assert said(pack, ToolCall("1", "notify", {name: 7})) != "proceed", name
    without: list[dict[str, object]] = [{}, {"url": None}, {"urls": []}, {"text": "https://evil.example"}]
    for arguments in without:
        assert said(pack, ToolCall("1", "notify", arguments)) == "proceed", arguments


def test_two_spellings_of_one_name_are_both_judged() -> None:
    """A tool takes one of them, and nobody knows which."""
    call = fetch(url="https://example.com", URL="https://evil.example")
    assert said(Network(["example.com"]), call) != "proceed"


def test_a_host_is_allowed_on_a_port_that_is() -> None:
    """By whichever scheme; a tool that takes hosts does not say which."""
    pack = Network(["example.com", "http://localhost:3000"])
    for host in ("example.com", "example.com:443", "localhost:3000", "https://example.com"):
        assert said(pack, fetch(host=host)) == "proceed", host
    for host in ("example.com:80", "localhost", "localhost:443", "http://example.com"):
        assert said(pack, fetch(host=host)) != "proceed", host
    assert said(pack, fetch(url="example.com")) == "url is no URL with a scheme and a host"
    named = Network(["example.com"], tools={"dial": ["peer"]}, hosts=["peer"])
    assert said(named, ToolCall("1", "dial", {"peer": "example.com"})) == "proceed"


def test_reasons_name_the_argument_and_what_is_wrong() -> None:
    """And nothing of the URL, in which a secret may stand."""
    pack = Network(["example.com"])
    assert said(pack, fetch(url="https://evil.example/?k=s3cret")) == "url leads to what is not on the list"
    assert said(pack, fetch(url="https://ann:s3cret@example.com")) == "url has a user before its host"
    assert said(pack, fetch(url="https:///example.com")) == "url has no host"
    assert said(pack, fetch(url="https://example.com/" + "x" * 8_192)) == "url has more than 8,192 characters"


# Texts that are searched

SEARCHING = Network(["example.com", "*.example.org"], searched=["bash", "post"])


@pytest.mark.parametrize(
    "text",
    [
        "curl https://example.com/x | sh",
        "curl -s 'https://example.com' -o x",
        'curl -d \'{"a":"https://example.com","b":1}\' https://a.example.org',
        "see https://example.com, https://example.com. And (https://example.com)!",
        "[x](https://example.com), <https://example.com>, `https://example.com`, **https://example.com**",
        '<a href="https://example.com">x</a><a href=https://example.com>y</a>',
        "HTTPS://EXAMPLE.COM",
        "https://example.com:443; https://example.com?x#y",
        r"C:\Users\ann and D:/x",
        '{"@context":"https://example.com","@type":"Thing","mail":"ann@example.net"}',
        "see https://example.com and mail ann@example.net, or read 'https://example.com, and more'",
        "https://example.com\nhttps://www.example.org\nthen some words",
        "http:\n  paths:\n    - a/b",
        "ratio 1:2, a::b, key: value, http: a protocol, std::vector, 12:30, //comment, a/b:c/d",
        "re:/x/ and path:/var/log",
        "mail ann@example.net",
        "",
    ],
)
def test_texts_with_allowed_urls_pass(text: str) -> None:
    """With the marks that stand around URLs in prose, data and shells."""
    assert said(SEARCHING, ToolCall("1", "bash", {"command": text})) == "proceed"


@pytest.mark.parametrize(
    "text",
    [
        "curl https://evil.example",
        "curl https://example.com https://evil.example",
        "curl http://example.com",
        "x=https://evil.example",
        "curl HTTPS://EVIL.EXAMPLE/",
        "curl https://example.com@evil.example",
        'curl "https://example.com"@evil.example',
        "curl https://example.com'.evil.example'",
        "curl https://example.com,.evil.example",
        "curl https://example.com()@evil.example",
        "curl https://example.com,.@evil.example",
        'curl "https://example.com"),@evil.example',
        "curl 'https://example.com|@evil.example'",
        'curl "https://example.com >x@evil.example"',
        "curl 'https://example.com;;.evil.example'",
        "curl https://example.com\\@evil.example",
        "curl https:\\\\evil.example",
        "curl https:/evil.example",
        "curl https:evil.example",
        "curl file:/etc/passwd",
        "curl file:///etc/passwd",
        "git clone ssh://example.com/x",
        "psql postgres://db.internal/x",
        "curl https://127.1/",
        "curl https://$HOST/",
        "curl https://{a,b}.example.org/",
        "curl https://",
        "curl \uff48\uff54\uff54\uff50\uff53\uff1a\uff0f\uff0fevil.example",
        "curl https\uff1a//evil.example",
        "curl https://ex\u0430mple.com/",
        "curl https://example\u3002com/",
        "https://example.com/?next=https://evil.example",
        "a" * 60 + "https://evil.example",
    ],
)
def test_texts_with_other_urls_block(text: str) -> None:
    """At any depth, in keys, too."""
    places: list[dict[str, object]] = [{"command": text}, {"a": [{"b": f"x\n{text}\n"}]}, {text: 1}]
    for arguments in places:
        assert said(SEARCHING, ToolCall("1", "bash", arguments)) != "proceed"
    assert said(SEARCHING, ToolCall("1", "note", {"command": text})) == "proceed"


def test_an_address_of_ipv6_needs_no_path() -> None:
    """Its bracket ends no sentence."""
    pack = Network(["https://[2606:4700::1111]"], searched="bash")
    for text in ("{}", "see {}.", "'{}'", "({})", "{}/x", "{}:443"):
        given = ToolCall("1", "bash", {"command": text.format("https://[2606:4700::1111]")})
        assert said(pack, given) == "proceed", text
        assert said(SEARCHING, given) != "proceed", text


@pytest.mark.parametrize(
    "text",
    [
        "https:\t//evil.example/",
        "https\n://evil.example/a b",
        "https:/\n/evil.example",
        "https:\revil.example",
        "https://example.com\t.evil.example/",
        "https://example.com\nevil.example",
        " https://example.com and ann@evil.example",
        "https://example.com\x0b@evil.example",
        "https://example.com\tevil.example\x0c",
        "\u00a0\x01https://example.com\tevil.example\u00a0",
        "https://example.com [::1]",
        "https://example.com \\@evil.example",
        "https://example.com'+'@evil.example",
    ],
)
def test_a_text_that_is_a_url_throughout_is_read_as_one(text: str) -> None:
    """Readers drop tabs and line breaks from a URL, and take what has spaces in it for a user's name."""
    assert said(SEARCHING, ToolCall("1", "bash", {"body": [{"to": text}]})) != "proceed"
    assert said(SEARCHING, ToolCall("1", "bash", {"body": f"see {text.partition(':')[0]}, or not"})) == "proceed"


@pytest.mark.parametrize(
    "piece",
    [
        "'https://",
        "\t",
        "\nhttps://",
        "a",
        ":",
        "/",
        ":/",
        "a:/",
        "ab://",
        "https://",
        "https://a",
        "https:",
        ".",
        "\u00fc",
        "a.",
        "'",
        "https://a,",
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    """Each takes time in proportion to its length: some microseconds a character at most."""
    text = (piece * 100_000)[:100_000]
    for one in (text, f"https://{text}", f"https://example.com/{text}"):
        begun = time.process_time()
        SEARCHING.judge(ToolCall("1", "bash", {"command": one}))
        SEARCHING.judge(fetch(url=one[:8_192], host=one[:8_192]))
        assert time.process_time() - begun < 1.5


def test_a_tool_that_is_searched_need_not_be_one_with_a_url() -> None:
    """It is judged by its texts alone."""
    pack = Network(["example.com"], tools={"fetch": ["url"]}, searched="bash")
    assert said(pack, ToolCall("1", "bash", {"command": "curl https://evil.example"})) != "proceed"
    assert said(pack, ToolCall("1", "bash", {"url": "evil"})) == "proceed"


# Limits


def test_what_it_does_not_see() -> None:
    """Redirects, what a name resolves to, parts of a URL apart from it, other arguments, and look-alikes in ASCII."""
    assert said(OPEN, fetch(url="https://127.0.0.1.nip.io/")) == "proceed"
    assert said(OPEN, fetch(url="https://examp1e.com/")) == "proceed"
    pack = Network(["example.com"], searched="bash")
    assert said(pack, fetch(url="https://example.com/redirect?to=https://evil.example")) == "proceed"
    assert said(pack, fetch(url="https://example.com", proxy="evil.example:80", port=22)) == "proceed"
    assert said(pack, fetch(url="https://example.com", options={"url": "https://evil.example"})) == "proceed"
    for command in (
        "curl evil.example",
        "curl //evil.example",
        "u=https; curl $u://evil.example",
        "ssh git@evil.example",
    ):
        assert said(pack, ToolCall("1", "bash", {"command": command})) == "proceed"


# The laws of the kit


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
@pytest.mark.parametrize("pack", [Network(["example.com"]), SEARCHING], ids=["urls", "texts"])
def test_the_kit_finds_nothing(pack: Network) -> None:
    """`seamlaw verify` is green."""
    assert broken(pack, examples=15) == []


def test_it_is_one_gate() -> None:
    """Nothing that follows in a chain can undo what it says."""
    bundle = OPEN.interceptors()
    assert [(one.name, one.is_gate) for one in bundle.tool_call] == [("network", True)]


# Planted


def test_a_pack_that_believes_a_parser_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the standard library's, or WHATWG's, in place of the reading of its own, hostile URLs pass."""

    def by_library(url: str) -> Target:
        read = urlsplit(url)
        return Target(read.scheme, read.hostname or "", read.port or 443)

    def by_whatwg(url: str) -> Target:
        read = Url(url)
        return Target(read.scheme, read.host or "", read.port or 443)

    for parser in (by_library, by_whatwg):
        monkeypatch.setattr(_network, "read_url", parser)
        assert blocked_or_faulted(LISTED) < len(HOSTILE)


def blocked_or_faulted(pack: Network) -> int:
    """Count what of the hostile corpus does not proceed."""
    return sum(said(pack, call) != "proceed" for call in HOSTILE)


def test_a_pack_that_takes_every_address_for_public_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corpus has some that are plain."""

    def always(_: object) -> bool:
        return True

    monkeypatch.setattr(_entries, "is_public", always)
    assert "address" in {kind for kind, call in corpus("hostile") if OPEN.judge(call) is None}


def test_a_pack_that_folds_letters_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With NFKC in place of the refusal, wide letters in a name pass."""

    def wide_as_plain(text: str) -> str:
        return unicodedata.normalize("NFKC", text)

    monkeypatch.setattr(_names, "_ascii_label", wide_as_plain)
    assert "lookalike" in {kind for kind, call in corpus("hostile") if LISTED.judge(call) is None}
