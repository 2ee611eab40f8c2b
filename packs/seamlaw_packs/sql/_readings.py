"""Reads a text into statements of words, names and signs, in every way in which the database may read it.

The parser never sees the text itself, but what is written anew from this reading: without comments, and with no
backslash or quote within a text. So what parser and database hold for a text or a comment cannot differ.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

from attrs import frozen

from ._dialects import Dialect
from ._doubt import Doubt

__all__ = ["Statement", "Token", "readings", "written"]

LONGEST = 10_000  # characters
CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
ODD_ENDS = re.compile("[\x85\u2028\u2029]")
UNSAFE = re.compile(r"['\\\n\r\t]")
WORD = re.compile(r"[^\W\d][\w$]*")
HASH_WORD = re.compile(r"[^\W\d][\w$#]*")
NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
POINT = re.compile(r"(?<!\w)\d+\.(?!\d)")
SUFFIX = re.compile(r"(?:[lsydfLSYDF]|BD|bd)(?!\w)")
DOLLAR = re.compile(r"\$(?:[^\W\d]\w*)?\$")
PLACEHOLDER = re.compile(r"%s(?!\w)|%\(\w+\)s(?!\w)|\?\d+")
Q_ENDS = {"[": "]", "{": "}", "(": ")", "<": ">"}
RAW = ("r", "br", "rb")


@frozen
class Token:
    """A piece of a statement. `kind`: what it is; `text`: a word or sign, or what stands between quotes."""

    kind: Literal["word", "name", "text", "number", "sign"]
    text: str
    glued: bool = False

    @property
    def word(self) -> str:
        """The word in small letters, if it is one that may have a meaning of its own."""
        return self.text.lower() if self.kind == "word" else ""

    def is_sign(self, sign: str) -> bool:
        """Whether it is this sign."""
        return self.kind == "sign" and self.text == sign


Statement = tuple[Token, ...]


class Unread(Exception):
    """What no database reads; `first`: it stands in the first statement, so that none has run before."""

    first = True


@cache
def text_in(quote: str, *, backslash: bool) -> re.Pattern[str]:
    inner = rf"[^{quote}\\]|\\.|{quote}{quote}" if backslash else rf"[^{quote}]|{quote}{quote}"
    return re.compile(f"{quote}((?:{inner})*+){quote}", re.DOTALL)


@cache
def triple_in(quote: str) -> re.Pattern[str]:
    return re.compile(rf"{quote * 3}((?:[^{quote}\\]|\\.|{quote}(?!{quote}{quote}))*+){quote * 3}", re.DOTALL)


@frozen
class Reader:
    """One way to read a text."""

    dialect: Dialect
    backslash: bool
    triple: bool

    def read(self, text: str) -> tuple[Statement, ...]:
        """Read all statements; raises `Doubt` and `Unread`."""
        statements, now, ended = list[Statement](), list[Token](), False
        try:
            for token in self._tokens(text):
                if token.is_sign(";"):
                    ended = True
                    statements.append(tuple(now))
                    now = []
                else:
                    now.append(token)
        except Unread as error:
            error.first = not ended
            raise
        statements.append(tuple(now))
        return tuple(one for one in statements if one)

    def _tokens(self, text: str) -> Iterator[Token]:
        at, glued = 0, False
        while at < len(text):
            if text[at].isspace() and text[at].isascii():
                at, glued = at + 1, False
                continue
            comment = self._comment(text, at)
            if comment is not None:
                at, glued = comment, False
                continue
            token, end = self._token(text, at)
            yield Token(token.kind, token.text, glued)
            glued = token.kind not in ("name", "text")
            if token.kind == "number" and WORD.match(text, end) and self.dialect.family != "bigquery":
                glued = False  # 1DROP is two words to some; a name of BigQuery may go on so behind a dash
            at = end

    def _comment(self, text: str, at: int) -> int | None:
        two = text[at : at + 2]
        if two == "/*":
            return _block_comment(text, at)
        if two == "--" and self.dialect.family == "mysql" and text[at + 2 : at + 3].strip():
            raise Doubt("two dashes without a space begin a comment for some only")
        if two == "//" and self.dialect.family == "clickhouse":
            raise Doubt("two slashes begin a comment for some only")
        slashes = two == "//" and self.dialect.slash_comments
        if two != "--" and not slashes and not (text[at] == "#" and self.dialect.hash_comments):
            return None
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if ODD_ENDS.search(text, at, end):
            raise Doubt("a comment ends there for some only")
        return end

    def _token(self, text: str, at: int) -> tuple[Token, int]:
        sign = text[at]
        if sign == "'" or (sign == '"' and '"' not in self.dialect.quotes):
            return self._text(text, at, backslash=self.backslash)
        if sign in '"`[' and sign in self.dialect.quotes:
            return _name(text, at)
        if sign == "$" and (opened := DOLLAR.match(text, at)):
            return self._dollar(text, opened)
        if sign.isdigit() and sign.isascii():
            return self._number(text, at)
        if found := (WORD if self.dialect.hash_comments else HASH_WORD).match(text, at):
            return self._word(text, found)
        if found := PLACEHOLDER.match(text, at):
            return Token("sign", "?"), found.end()
        return self._sign(text, at), at + 1

    def _word(self, text: str, found: re.Match[str]) -> tuple[Token, int]:
        word, end = found[0], found.end()
        if not word.isascii() and unicodedata.normalize("NFKC", word) != word:
            raise Doubt("a letter looks like another")
        quote = text[end : end + 1]
        if quote and word in "uU" and text[end : end + 2] in ("&'", '&"'):
            raise Doubt("a text or name is written in code points")
        if quote == "'" or (quote == '"' and '"' not in self.dialect.quotes):
            prefixed = self._prefixed(text, end, word.lower())
            if prefixed is not None:
                return prefixed
        return Token("word", word), end

    def _prefixed(self, text: str, at: int, prefix: str) -> tuple[Token, int] | None:
        family = self.dialect.family
        if family == "oracle" and prefix in ("q", "nq"):
            return _alternative_quote(text, at)
        if prefix == "e" and family in ("postgres", "duckdb"):
            return self._text(text, at, backslash=True)
        if prefix in RAW and family in ("bigquery", "spark"):
            return self._text(text, at, backslash=self.backslash and family == "bigquery")
        if prefix in ("n", "x", "b") or (family == "mysql" and prefix.startswith("_")):
            return self._text(text, at, backslash=self.backslash)
        return None

    def _text(self, text: str, at: int, *, backslash: bool) -> tuple[Token, int]:
        quote = text[at]
        if self.triple and text.startswith(quote * 3, at):
            found = triple_in(quote).match(text, at)
        else:
            found = text_in(quote, backslash=backslash).match(text, at)
        if found is None:
            raise Unread("a text does not end")
        return Token("text", found[1]), found.end()

    def _dollar(self, text: str, opened: re.Match[str]) -> tuple[Token, int]:
        if not self.dialect.dollar:
            raise Doubt("dollars are quotes for some only")
        end = text.find(opened[0], opened.end())
        if end < 0:
            raise Unread("a text does not end")
        return Token("text", text[opened.end() : end]), end + len(opened[0])

    def _number(self, text: str, at: int) -> tuple[Token, int]:
        found = NUMBER.match(text, at)
        if found is None:  # pragma: no cover - it begins with a digit
            raise Unread("a number is none")
        end = found.end()
        if self.dialect.family == "tsql" and (whole := POINT.match(text, at)):
            return Token("number", whole[0]), whole.end()  # so that 1.DROP is two words, and no dotted name
        if self.dialect.digits_first:
            if suffix := SUFFIX.match(text, end):
                return Token("number", text[at : suffix.end()]), suffix.end()
            rest = re.compile(r"[\w$]+").match(text, at)
            if rest is not None and rest.end() > end:
                return Token("word", rest[0]), rest.end()
        return Token("number", found[0]), end

    def _sign(self, text: str, at: int) -> Token:
        sign = text[at]
        if not sign.isascii():
            raise Doubt("an odd character stands outside of quotes")
        if sign == "\\":
            raise Unread("a backslash stands outside of quotes")
        if sign == "`":
            raise Unread("a backtick is no quote here")
        if sign in "{}" and not self.dialect.braces:
            raise Doubt("a brace has no meaning here")
        if text[at : at + 2] in ("{{", "{%", "{#", "${", "*/"):
            raise Doubt("a sign of templates or comments stands outside of quotes")
        if self.dialect.family == "snowflake" and text.startswith("->>", at):
            raise Doubt("a statement goes on in another")
        if sign == "$" and self.dialect.family == "tsql" and WORD.match(text, at + 1):
            raise Doubt("a dollar before a word is a number for some only")
        return Token("sign", sign)


def _block_comment(text: str, at: int) -> int:
    end = text.find("*/", at + 2)
    if end < 0:
        raise Unread("a comment does not end")
    inner = text[at + 2 : end]
    if "/*" in inner or inner.endswith("/"):
        raise Doubt("a comment stands in a comment")
    if inner.lower().startswith(("!", "m!")):
        raise Doubt("a comment is executed by some")
    if inner.startswith("+") and "set_var" in inner.lower():
        raise Doubt("a hint sets a variable")
    return end + 2


def _name(text: str, at: int) -> tuple[Token, int]:
    end = text.find("]" if text[at] == "[" else text[at], at + 1)
    if end < 0:
        raise Unread("a name does not end")
    inner = text[at + 1 : end]
    if text[end + 1 : end + 2] == text[end] or any(sign in inner for sign in '\\"`[]\n'):
        raise Doubt("a quoted name holds a quote")
    return Token("name", inner), end + 1


def _alternative_quote(text: str, at: int) -> tuple[Token, int]:
    opens = text[at + 1 : at + 2]
    closes = Q_ENDS.get(opens, opens) + "'"
    end = text.find(closes, at + 2)
    if not opens.strip() or end < 0:
        raise Unread("a text does not end")
    return Token("text", text[at + 2 : end]), end + 2


def readings(text: str, dialect: Dialect) -> list[tuple[Statement, ...]]:
    """Read a text in each way in which it can be; raises `Doubt`."""
    if len(text) > LONGEST:
        raise Doubt(f"the text is longer than {LONGEST:,} characters")
    if CONTROL.search(text):
        raise Doubt("a control character stands in the text")
    try:
        found = [Reader(dialect, dialect.backslash, dialect.triple).read(text)]
    except Unread as error:
        raise Doubt(str(error)) from None
    for backslash, triple in _other_ways(text, dialect):
        try:
            other = Reader(dialect, backslash, triple).read(text)
        except Unread as error:
            if not error.first:
                raise Doubt("a text ends elsewhere for some") from None
            continue  # it is refused where it is read so
        if other not in found:
            found.append(other)
    return found


def _other_ways(text: str, dialect: Dialect) -> Iterator[tuple[bool, bool]]:
    if "\\" in text:
        yield not dialect.backslash, dialect.triple
    if dialect.triple and ("'''" in text or '"""' in text):
        yield dialect.backslash, False


def written(statement: Statement, dialect: Dialect) -> str:
    """Write a statement for the parser."""
    return "".join(("" if token.glued else " ") + _written(token, dialect) for token in statement).strip()


def _written(token: Token, dialect: Dialect) -> str:
    if token.kind == "name":
        return f"{dialect.quote}{token.text}{dialect.quote} "
    if token.kind == "text":
        return f" '{UNSAFE.sub('x', token.text)}' "
    return token.text
