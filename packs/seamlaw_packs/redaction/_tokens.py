"""Secrets that say what they are: a prefix of their issuer's, then a run of letters and digits.

A prefix is long or odd enough to be looked for anywhere. After it the pattern takes all that could belong to the
token, and more: a longer one than the issuer gives today is hidden whole. Where a prefix is short (`sk-`, `eyJ`) no
letter or digit may stand before it, other than the end of an escape (`\\n`, `%3D`), since JSON inside JSON has those.
"""

import re
from collections.abc import Iterator

from attrs import Factory, field, frozen

from ._view import Found, View, compiled

__all__ = ["TOKENS", "Token"]


def _nearby(it: "Token") -> re.Pattern[bytes]:
    return re.compile((it.first or it.pattern.pattern).encode())


@frozen
class Token:
    """A family of tokens. All that can be one is in a text's long runs, and these are few: they are asked first.

    Each match has 20 characters of a run that begins with what `first` matches, or with the whole. The prefix has the
    `mark` in it, which is looked for ten times as fast as the prefix is.
    """

    label: str
    mark: bytes
    pattern: re.Pattern[str] = field(converter=compiled)
    first: str = ""  # the part of the pattern that a run can hold
    crosses: re.Pattern[str] | None = None  # what may become one, where there is a space in it
    _near: re.Pattern[bytes] = field(init=False, eq=False, repr=False, default=Factory(_nearby, takes_self=True))

    def spans(self, view: View) -> Iterator[Found]:
        """Find each token of the family."""
        if self.mark in view.runs and self._near.search(view.runs):
            for found in self.pattern.finditer(view.text):
                yield *found.span(found.lastindex or 0), self.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:
        """Find where a stream must not be cut: most tokens have no space in them, and so it never is."""
        if self.crosses is not None:
            yield from (found.span() for found in self.crosses.finditer(text))


def _alone(prefix: str, letters: str = "A-Za-z0-9_") -> str:
    """Match a prefix with no letter before it. The look-behind comes second: to begin with a literal is fast."""
    escapes = (r"\\[nrtbf]", "%[0-9A-Fa-f]{2}", r"\\u[0-9A-Fa-f]{4}")
    before = "|".join(f"(?<={escape}{prefix})" for escape in escapes)
    return f"{prefix}(?:(?<![{letters}]{prefix})|{before})"


TOKENS: tuple[Token, ...] = (
    Token("anthropic-key", b"-", r"sk-ant-[\w-]{13,}+"),
    Token("openrouter-key", b"-", r"sk-or-[\w-]{14,}+"),
    Token("openai-key", b"-", rf"sk-(?:proj|svcacct|admin|None)-[\w-]{{12,}}+|{_alone('sk-')}[A-Za-z0-9]{{24,}}+"),
    Token("aws-access-key", b"A", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16,}+[a-z0-9]*+"),
    Token("github-token", b"_", r"g(?:h[pousr]_[A-Za-z0-9]{30,}+|ithub_pat_[A-Za-z0-9_]{22,}+)"),
    Token(
        "gitlab-token",
        b"-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[\w-]{20,}+(?:\.[0-9a-z]{2,16}+){0,2}+",
    ),
    Token("slack-token", b"-", r"x(?:ox[a-z]|app)-[\w-]{15,}+"),
    Token("google-api-key", b"A", rf"{_alone('AIza', 'A-Za-z0-9_+/-')}[\w-]{{35,}}+"),
    Token("google-token", b"-", r"GOCSPX-[\w-]{20,}+"),
    Token("google-token", b".", r"ya29\.[\w-]{20,}+"),
    Token("stripe-key", b"_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{12,}+"),
    Token("stripe-key", b"_", r"whsec_[A-Za-z0-9]{14,}+[A-Za-z0-9+/]*+=*"),
    Token("npm-token", b"_", r"npm_[A-Za-z0-9]{30,}+"),
    Token("pypi-token", b"-", r"pypi-AgE[\w-]{13,}+"),
    Token("huggingface-token", b"_", r"hf_[A-Za-z0-9]{30,}+"),
    Token("sendgrid-key", b".", r"SG\.[\w-]{20,}+\.[\w-]{20,}+", r"SG\.[\w-]{20}"),
    Token("digitalocean-token", b"_", r"do[opr]_v1_[A-Za-z0-9]{40,}+"),
    Token("shopify-token", b"_", r"shp(?:at|ca|pa|ss)_[A-Za-z0-9]{32,}+"),
    Token("vault-token", b".", r"hv[sb]\.[\w-]{20,}+"),
    Token("groq-key", b"_", r"gsk_[A-Za-z0-9]{40,}+"),
    Token("xai-key", b"-", r"xai-[A-Za-z0-9]{40,}+"),
    Token("linear-key", b"_", r"lin_api_[A-Za-z0-9]{32,}+"),
    Token("databricks-token", b"d", r"dapi[a-f0-9]{32,}+[\w-]*+"),
    Token("age-key", b"-", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}+[a-z0-9]*+"),
    # RFC 7519. No `-` may stand before it either: in `eyJ-eyJ-eyJ-…` each would be read to the end.
    Token(
        "jwt",
        b"e",
        rf"{_alone('eyJ', 'A-Za-z0-9_-')}[\w-]{{17,}}+\.[\w-]{{16,}}+(?:\.[\w-]*+){{0,3}}+",
        r"eyJ[\w-]{17}",
    ),
    Token("bearer-token", b" ", r"Bearer ([\w-]{20,}+[\w.~+/-]*+=*)", r"Bearer [\w-]{20}", compiled(r"Bearer [\w.~+/=-]*+")),
)
