r"""Secrets that say what they are: a prefix of their issuer's, then a run of letters and digits.

A prefix is long or odd enough to be looked for anywhere. After it all is taken that could belong to the token, and
more: a longer one than the issuer gives today is hidden whole, and so is what is written close behind it. Where a
prefix is short (`sk-`, `eyJ`) no letter or digit may stand before it, other than the end of an escape (`\n`, `%3D`),
since JSON inside JSON has those.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import Factory, field, frozen

from ._view import Found, View, compiled

__all__ = ["TOKENS", "Token", "Tokens"]

FEW = 2_000  # characters in runs, of which it is quicker to ask first whether any prefix is in them


def _pattern(it: "Token") -> re.Pattern[str]:
    return compiled(rf"{it.prefix}{it.rest}[\w-]*+")


def _start(it: "Token") -> re.Pattern[bytes]:
    return re.compile(it.prefix.encode())


@frozen
class Token:
    """A family of tokens. The prefix is looked for in the long runs of a text alone, and there are few of these.

    So the prefix with what must follow it has at least 20 characters of one run, or stands at most 8 before one. The
    `mark` is a character of every prefix, which is found ten times as fast as the prefix.
    """

    label: str
    mark: bytes
    prefix: str
    rest: str
    crosses: re.Pattern[str] | None = None  # what may become one, where there is a space in it
    pattern: re.Pattern[str] = field(init=False, eq=False, repr=False, default=Factory(_pattern, takes_self=True))
    marks: tuple[str, ...] = ()
    start: re.Pattern[bytes] = field(init=False, eq=False, repr=False, default=Factory(_start, takes_self=True))

    def spans(self, view: View) -> Iterator[Found]:
        """Find each token of the family."""
        runs, at, last = view.runs, 0, 0
        if self.mark in runs:
            while prefix := self.start.search(runs, at):
                at, place = prefix.end(), view.place(prefix.start())
                token = self.pattern.match(view.text, place) if place >= last else None
                if token is not None:
                    last = token.end()
                    at = max(at, view.run_place(last))
                    yield *token.span(token.lastindex or 0), self.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:
        """Find where a stream must not be cut: most tokens have no space in them, and so it never is."""
        if self.crosses is not None:
            yield from ((found.start(), found.end(1)) for found in self.crosses.finditer(text))


def _alone(prefix: str, letters: str = "A-Za-z0-9_") -> str:
    """Match a prefix with no letter before it. The look-behind comes second: to begin with a literal is fast."""
    escapes = (r"\\[nrtbf]", "%[0-9A-Fa-f]{2}", r"\\u[0-9A-Fa-f]{4}")
    before = "|".join(f"(?<={escape}{prefix})" for escape in escapes)
    return f"{prefix}(?:(?<![{letters}]{prefix})|{before})"


TOKENS: tuple[Token, ...] = (
    Token("anthropic-key", b"-", "sk-ant-", r"[\w-]{13,}+"),
    Token("openrouter-key", b"-", "sk-or-", r"[\w-]{14,}+"),
    Token("openai-key", b"-", "sk-(?:proj|svcacct|admin|None)-", r"[\w-]{12,}+"),
    Token("openai-key", b"-", _alone("sk-"), "[A-Za-z0-9]{24,}+"),
    Token("aws-access-key", b"A", "A(?:KIA|SIA|BIA|CCA)", "[A-Z0-9]{16,}+"),
    Token("github-token", b"_", "gh[pousr]_", "[A-Za-z0-9]{30,}+"),
    Token("github-token", b"_", "github_pat_", "[A-Za-z0-9_]{22,}+"),
    Token(
        "gitlab-token",
        b"-",
        "gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-",
        r"[\w-]{20,}+(?:\.[0-9a-z]{2,16}+){0,2}+",
    ),
    Token("slack-token", b"-", "x(?:ox[a-z]|app)-", r"[\w-]{15,}+"),
    Token("google-api-key", b"A", _alone("AIza", "A-Za-z0-9_-"), r"[\w-]{35,}+"),
    Token("google-token", b"-", "GOCSPX-", r"[\w-]{20,}+"),
    Token("google-token", b".", r"ya29\.", r"[\w-]{20,}+"),
    Token("stripe-key", b"_", "sk_(?:live|test)_", "[A-Za-z0-9]{12,}+"),
    Token("stripe-key", b"_", "rk_(?:live|test)_", "[A-Za-z0-9]{12,}+"),
    Token("stripe-key", b"_", "whsec_", r"[A-Za-z0-9]{14,}+(?:[+/]++[A-Za-z0-9]{4,}+)*+=*"),
    Token("npm-token", b"_", "npm_", "[A-Za-z0-9]{30,}+"),
    Token("pypi-token", b"-", "pypi-AgE", r"[\w-]{13,}+"),
    Token("huggingface-token", b"_", "hf_", "[A-Za-z0-9]{30,}+"),
    Token("sendgrid-key", b".", r"SG\.", r"[\w-]{20,}+\.[\w-]{20,}+"),
    Token("digitalocean-token", b"_", "do[opr]_v1_", "[A-Za-z0-9]{40,}+"),
    Token("shopify-token", b"_", "shp(?:at|ca|pa|ss)_", "[A-Za-z0-9]{32,}+"),
    Token("vault-token", b".", r"hv[sb]\.", r"[\w-]{20,}+"),
    Token("groq-key", b"_", "gsk_", "[A-Za-z0-9]{40,}+"),
    Token("xai-key", b"-", "xai-", "[A-Za-z0-9]{40,}+"),
    Token("linear-key", b"_", "lin_api_", "[A-Za-z0-9]{32,}+"),
    Token("databricks-token", b"d", "dapi", "[a-f0-9]{32,}+"),
    Token("age-key", b"-", "AGE-SECRET-KEY-1", "[A-Z0-9]{40,}+"),
    # RFC 7519. No `-` may stand before it either: in `eyJ-eyJ-eyJ-…` each would be read to the end.
    Token("jwt", b"e", _alone("eyJ", "A-Za-z0-9_-"), r"[\w-]{17,}+\.[\w-]{16,}+(?:\.[\w-]*+){0,3}+"),
    Token("bearer-token", b" ", "Bearer ", r"([\w-]{20,}+[\w.~+/-]*+=*+)", compiled(r"Bearer (?=([\w.~+/=-]*+))")),
)


class Tokens:
    """Families of tokens, with one pattern that says quickly that there is nothing of any of them."""

    def __init__(self, families: Sequence[tuple[int, Token]]) -> None:
        self._families = families
        self._any = re.compile("|".join(family.prefix for _, family in families).encode())

    def possible(self, view: View) -> Sequence[tuple[int, Token]]:
        """Give the families of which there may be a token, with their places among the others."""
        runs = view.runs
        if not runs or (len(runs) < FEW and not self._any.search(runs)):
            return ()
        return self._families
