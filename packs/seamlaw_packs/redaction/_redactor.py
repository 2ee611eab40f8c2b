"""The redactor: what people hold in their hands; how it searches and what it walks is in the modules beside it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from attrs import Attribute, Factory, field, frozen

from ._named import Named
from ._names import ENDINGS, Names, label_of, plain_name
from ._own import Own
from ._pii import PII
from ._placeholders import WALL, placeholder, walled, withheld
from ._search import SHORT, Search
from ._shapes import SHAPES
from ._small import Small
from ._stream import ANYWHERE, LINES, Stream
from ._tokens import TOKENS
from ._values import Rebuilding, opaque, texts_of
from ._view import Family
from .errors import InvalidRedactor

__all__ = ["LONGEST", "SECRETS", "Redactor"]

T = TypeVar("T")
SECRETS: tuple[Family, ...] = (*TOKENS, *SHAPES, Named())
LONGEST = 1_000_000  # characters
HOLD = 65_536  # characters
KINDS = frozenset(map(type, (*SECRETS, *PII)))  # no others: each of these takes linear time
UNREADABLE = placeholder("unreadable")


def _families(given: Iterable[Family]) -> tuple[Family, ...]:
    families = tuple(given)
    for family in families:
        if type(family) not in KINDS:
            raise InvalidRedactor("families", f"SECRETS, PII or some of them, not {type(family).__name__}")
    return families


def _names(given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise InvalidRedactor("names", "a list of names, not one text")
    names = tuple(given)
    for name in names:
        if type(name) is not str or not plain_name(name) or not label_of(name):
            raise InvalidRedactor("names", "a name is written in the letters a to z")
    return names


def _owned(given: "Mapping[str, str] | tuple[Own, ...]") -> tuple[Own, ...]:
    if isinstance(given, tuple) and all(type(own) is Own for own in given):
        return given
    try:
        pairs = dict[str, str](cast(Mapping[str, str], given))
    except (TypeError, ValueError):
        raise InvalidRedactor("patterns", "a mapping of labels to patterns") from None
    return tuple(Own(label, text) for label, text in pairs.items())


def _length(_: "Redactor", attribute: "Attribute[int]", value: int) -> None:
    if type(value) is not int or value < 1:
        raise InvalidRedactor(attribute.name, "a number of characters, at least 1")


def _search(it: "Redactor") -> Search:
    others = [family for family in it.families if type(family) is not Named]
    endings: Mapping[str, str] = ENDINGS if len(others) < len(it.families) else {}
    named = [Named(Names(it.names, endings))] if endings or it.names else []
    return Search((*it.patterns, *others, *named))


def _secret_names(it: "Redactor") -> Names:
    named = (family.names for family in it.searching.families if type(family) is Named)
    return next(named, Names(endings={}))


@frozen
class Redactor:
    """Takes secrets out of texts and values, and puts `[redacted:…]` in their place.

    `families`: what is looked for: `SECRETS`, `SECRETS + PII`, or any of them. `names`: more names whose values are
    secrets. `patterns`: the caller's own, by label, in the syntax of the rules; raises `InvalidRedactor` for one that
    is not regular. `also`: a redactor of the caller's own, asked after these, of every text; where it raises or gives
    no text, the text is withheld. `longest`: a longer text is withheld, and not searched.
    """

    families: tuple[Family, ...] = field(default=SECRETS, converter=_families)
    names: tuple[str, ...] = field(default=(), converter=_names, kw_only=True)
    patterns: tuple[Own, ...] = field(default=(), converter=_owned, kw_only=True)
    also: Callable[[str], str] | None = field(default=None, kw_only=True)
    longest: int = field(default=LONGEST, validator=_length, kw_only=True)
    searching: Search = field(init=False, eq=False, repr=False, default=Factory(_search, takes_self=True))
    secret_names: Names = field(init=False, eq=False, repr=False, default=Factory(_secret_names, takes_self=True))

    _small: Small = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda it: Small(it.secret_names, it.searching), takes_self=True),
    )

    def text(self, text: str) -> str:
        """Take the secrets out of a text; the same object where there are none."""
        exact = str.__str__(text)
        if len(exact) > self.longest:
            return withheld(len(exact))
        clean = self._cleaned(exact)
        return text if clean is exact else clean

    def value(self, value: T) -> T:
        """Take the secrets out of a value: JSON, frozen or plain, bytes, and all that passes a seam; keys, too.

        The same object comes back where there are none, and so does each part of it. Everything else keeps its shape;
        only under a secret's name does a number become text. An object of another class is not looked into. A value
        that cannot be read (another thread is changing it) becomes the text `[redacted:unreadable]`.
        """
        try:
            return cast(T, self._valued(value))
        except Exception:  # whose text, too, may quote a secret
            return cast(T, UNREADABLE)

    def looks_into(self, value: object) -> bool:
        """Whether a value has no part of a class that is not looked into."""
        return not opaque(value)

    def error(self, error: BaseException) -> str:
        """Say what an exception says, with its class and its notes, without secrets; whatever its class does."""
        try:
            said = [str(error), *getattr(error, "__notes__", ())]
            return self.text(": ".join([type(error).__name__, "\n".join(part for part in said if part)]).rstrip(": "))
        except Exception:
            return f"{type(error).__name__}: {UNREADABLE}"

    def stream(self, *, hold: int = HOLD) -> Stream:
        """Redact a text that comes in chunks; at most `hold` characters of it are kept back at a time."""
        if type(hold) is not int or hold < 1:
            raise InvalidRedactor("hold", "a number of characters, at least 1")
        cuts = ANYWHERE if self.also is None else LINES
        return Stream(self._cleaned, self.searching.families, hold=hold, cuts=cuts)

    def _cleaned(self, text: str) -> str:
        clean = self.searching.clean(text)
        if self.also is None:
            return clean
        try:
            said = self.also(clean)
        except Exception:
            return UNREADABLE
        if type(said) is not str:
            return UNREADABLE
        return clean if said == clean else said

    def _valued(self, value: Any) -> Any:
        if self.also is None and self.longest >= SHORT and self._small.is_clean(value):
            return value
        texts = texts_of(value, self.secret_names)
        if texts is not None and self.also is None and max(map(len, texts), default=0) <= self.longest:
            joined = WALL.join(texts)
            if not self.searching.found(walled(joined)):
                return value
        return Rebuilding(self.text, self.secret_names).value(value)
