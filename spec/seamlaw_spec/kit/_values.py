"""Values for each seam, made around what a policy is made of (`pip install 'seamlaw[verify]'`)."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from seamlaw import Default, MemoryItem, Message, ProviderRequest, Scope, Seam, ToolCall, ToolResult

from ._constants import Constants
from ._parts import Part, Shown, Trace
from .errors import MissingExtra, NotAPolicy

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as missing:
    raise MissingExtra("Hypothesis") from missing

from ._met_by import arguments_for, matching, named_by

__all__ = ["near", "shown_at", "traces_of"]

TOOLS = ("bash", "read_file", "write_file", "http_get")
KEYS = ("path", "command", "text")
ODD_TEXTS = ("", " ", "\n", "a\nb", "é", "\u202e", "\0", "x" * 300, "../..", "~", "%s", "None")
NOTHING = st.just(dict[str, Any]())
AROUND = ("", "x", " ", "\n", "/", "/..", "_", ";")


class Maker:
    """Strategies around the constants of one interceptor; `secrets` are planted in what it is shown."""

    def __init__(self, found: Constants, keys: set[str], secrets: tuple[str, ...]) -> None:
        self.found = found
        self.keys = sorted(keys) or list(dict.fromkeys((*list(found.keys)[:6], *KEYS)))[:8]
        self.secrets = secrets
        self.text = self._text()
        self.json = self._json()

    def _text(self) -> SearchStrategy[str]:
        known = [text for text in self.found.texts if text not in self.keys] or list(self.found.texts)
        made: list[SearchStrategy[str]] = [
            st.sampled_from(ODD_TEXTS),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
        ]
        if known:
            exact = st.sampled_from(known)
            made = [
                exact,
                exact,
                st.builds("{}{}{}".format, st.sampled_from(AROUND), exact, st.sampled_from(AROUND)),
                *made,
            ]
            made.append(st.builds("{}{}{}".format, exact, st.sampled_from([" ", "/", ""]), exact))
            made.append(exact.map(str.swapcase))
            made += [st.builds("{} {}".format, exact, st.sampled_from(self.secrets))] if self.secrets else []
        made = [matching(pattern) for pattern in list(self.found.patterns)[:12]] + made
        if self.secrets:
            secret = st.sampled_from(self.secrets)
            made = [
                secret,
                st.builds("{}{}{}".format, st.sampled_from([*AROUND, "key="]), secret, st.sampled_from(AROUND)),
                *made,
            ]
        return st.one_of(made)

    def _json(self) -> SearchStrategy[Any]:
        near = [n + by for n in list(self.found.numbers)[:20] for by in (0, 1, -1)]
        numbers: SearchStrategy[Any] = st.sampled_from([*near, 0, 1, -1, 2**53 + 1]) | st.floats(-1e6, 1e6)
        scalars: SearchStrategy[Any] = st.none() | st.booleans() | numbers
        inner = st.lists(self.text, max_size=3) | st.dictionaries(self._key(), self.text | scalars, max_size=2)
        made: SearchStrategy[Any] = self.text | self.text | inner | scalars
        if self.found.sequences:
            made = st.sampled_from(self.found.sequences).map(list) | made
        return made

    def _key(self) -> SearchStrategy[str]:
        return st.sampled_from([*dict.fromkeys((*self.keys, *list(self.found.keys)[:20], "other", *self.secrets))])

    def name(self, part: Part) -> SearchStrategy[str]:
        """Names of tools: those that the filter lets through, those that the code names, others."""
        given = named_by(part.fresh().tools)
        listed = [name for name in self.found.names if not any(wild in name for wild in "*?[")]
        texts = [text for text in self.found.texts if len(text) < 40]
        made = [st.sampled_from([*listed, *texts, *TOOLS])]
        made += [st.sampled_from(listed)] * 2 if listed else []
        made += [matching(pattern) for pattern in list(self.found.patterns)[:4]]
        made += [st.builds("{}{}".format, st.sampled_from(texts), st.sampled_from(AROUND))] if texts else []
        return st.one_of(given, given, given, *made) if given is not None else st.one_of(made)

    def arguments(self) -> SearchStrategy[dict[str, Any]]:
        """Arguments: the keys that are asked for, or not, and what the rules are about."""
        loose = st.fixed_dictionaries({}, optional=dict.fromkeys(self.keys[:8], self.json))
        if self.secrets:
            loose = loose | st.dictionaries(self._key(), self.json, min_size=1, max_size=2)
        ruled = [
            arguments_for(rule, self.json)
            for rule in self.found.rules
            if rule.only.when or rule.only.unless or isinstance(rule, Default)
        ]
        return st.one_of(*ruled, *ruled, loose) if ruled else loose

    def call(self, part: Part) -> SearchStrategy[ToolCall]:
        """Calls of tools."""
        return st.builds(ToolCall, st.just("id-1"), self.name(part), self.arguments())

    def content(self) -> SearchStrategy[Any]:
        """Content of a message: text, blocks, none."""
        block = st.fixed_dictionaries({"type": st.just("text"), "text": self.text})
        return self.text | self.text | st.lists(block, min_size=1, max_size=2) | st.none()

    def message(self, part: Part) -> SearchStrategy[Message]:
        """Messages."""
        role = st.sampled_from(["user", "assistant", "system", "tool"])
        calls = st.just(()) | st.just(()) | self.call(part).map(lambda call: (call,))
        return st.builds(Message, role, self.content(), calls)

    def scope(self, part: Part) -> SearchStrategy[Scope]:
        """Who is calling: nobody known, or somebody that the policy knows."""
        asked = part.fresh()
        takes_scope = asked.takes.scope or asked.takes.count == 2 + len(part.seam.beside)
        if not (takes_scope or asked.agents.patterns):
            return st.just(Scope())
        who = st.none() | st.sampled_from([*self.found.agents, *list(self.found.texts)[:20], "main"])
        given = named_by(asked.agents)
        return st.just(Scope()) | st.builds(Scope, agent=who | (given or st.none()), role=who, trust=who, session=who)


def _result(maker: Maker, _: Part) -> SearchStrategy[Any]:
    error = st.none() | st.none() | maker.text
    return st.builds(ToolResult, maker.json | maker.text, error, NOTHING | maker.arguments())


def _request(maker: Maker, part: Part) -> SearchStrategy[Any]:
    headers = st.none() | st.dictionaries(st.sampled_from(["authorization", "x-a"]), maker.text, max_size=2)
    messages, tools = st.lists(maker.message(part), max_size=2), st.lists(maker.arguments(), max_size=2)
    return st.builds(ProviderRequest, maker.text, messages, tools, maker.arguments(), headers)


def _item(maker: Maker, _: Part) -> SearchStrategy[Any]:
    score = st.none() | st.floats(0, 1)
    return st.builds(MemoryItem, maker.text | maker.json, st.none() | maker.text, score, NOTHING | maker.arguments())


BY_TYPE: Mapping[type[Any], Callable[[Maker, Part], SearchStrategy[Any]]] = {
    ToolCall: Maker.call,
    ToolResult: _result,
    Message: Maker.message,
    ProviderRequest: _request,
    MemoryItem: _item,
    dict: lambda maker, _: maker.arguments(),
    list: lambda maker, _: st.lists(maker.json, max_size=3),
}


def _value_at(seam: Seam[Any], maker: Maker, part: Part) -> SearchStrategy[Any]:
    make = BY_TYPE.get(seam.value_type)
    one = make(maker, part) if make else st.from_type(seam.value_type)
    return st.lists(one, max_size=3).map(tuple) if seam.many else one


def shown_at(
    part: Part, found: Constants, keys: set[str], given: SearchStrategy[Any] | None = None
) -> SearchStrategy[Shown]:
    """What is shown to a part; `given` makes the values, or all that is shown, in place of what is made here."""
    maker = Maker(found, keys, part.secrets)
    value = _value_at(part.seam, maker, part) if given is None else given
    beside = st.tuples(*(BY_TYPE[kind](maker, part) for kind in part.seam.beside))
    return st.builds(_shown, st.just(part), value, beside, maker.scope(part))


def near(part: Part, found: Constants, keys: set[str], seeds: list[Shown]) -> SearchStrategy[Shown]:
    """What is like these in all but an argument or two, or in the name."""
    maker = Maker(found, keys, part.secrets)
    other = st.dictionaries(st.sampled_from(maker.keys), maker.json, min_size=1, max_size=2)
    name = st.none() | st.none() | maker.name(part)
    return st.builds(_mixed, st.sampled_from(seeds), other, name)


def _mixed(seed: Shown, other: dict[str, Any], name: str | None) -> Shown:
    call: ToolCall = seed.value
    return evolve(seed, value=ToolCall(call.id, call.name if name is None else name, {**call.arguments, **other}))


def _shown(part: Part, value: Any, beside: tuple[Any, ...], scope: Scope) -> Shown:
    """Admit a value as the seam would; a strategy of the user's may make what is shown itself."""
    shown = value if isinstance(value, Shown) else Shown(value, beside, scope)
    try:
        return evolve(shown, value=part.seam.admit(shown.value), beside=part.seam.admit_beside(shown.beside))
    except ValueError as error:
        raise NotAPolicy(part.label, f"the strategy makes what the seam does not carry: {error}") from error


def traces_of(shown: SearchStrategy[Shown]) -> SearchStrategy[Trace]:
    """Traces: one value mostly, or several that the same instance sees."""
    return st.lists(shown, min_size=1, max_size=1) | st.lists(shown, min_size=1, max_size=3)
