"""A tool has one name for whoever judges it, and a name that deceives is blocked."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.tool_aliases.tables import PACK, blocked, corpus
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Globs, Interceptors, ToolCall, block, decide, gate, merge, replace, rewriter
from seamlaw_packs import tool_aliases
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.tool_aliases import ToolAliases


def ends_as(name: str, pack: ToolAliases = PACK) -> str:
    """Decide a call; the name under which it proceeds, or why it does not."""
    outcome = decide(pack.interceptors(), TOOL_CALL, ToolCall("7", name, {"command": "ls"}))
    return outcome.value.name if outcome.proceeds else outcome.reason


# The corpora


def test_every_hostile_name_is_blocked_and_no_harmless_one_but_those_that_are_known() -> None:
    """Those that are mix scripts, or have a sign or a letter that may be taken for another."""
    hostile, harmless = corpus("hostile"), corpus("harmless")
    assert len(hostile) >= 300 <= len(harmless)
    assert blocked("hostile").total() == len(hostile)
    assert blocked("harmless") == {"known to be blocked": 14}


def test_no_name_is_in_a_corpus_twice() -> None:
    """Each counts once."""
    names = [name for file in ("hostile", "harmless") for _, name in corpus(file)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("part", "kind"), [("has_unseen", "unseen"), ("_is_odd_latin", "small capitals"), ("_script", "cyrillic")]
)
def test_a_pack_that_does_not_look_is_found(monkeypatch: pytest.MonkeyPatch, part: str, kind: str) -> None:
    """Planted: without what nobody sees, without phonetic letters, without scripts, names of the corpus pass."""

    def nothing(_: str) -> str:
        return ""

    monkeypatch.setattr(tool_aliases, part, nothing)
    assert blocked("hostile")[kind] < len([1 for one, _ in corpus("hostile") if one == kind])


# The names


@pytest.mark.parametrize(
    ("alias", "names"),
    [
        ("sh-[ab]", ["sh-a", "sh_b", "SH-A"]),
        ("[X-Z]-run-*", ["x-run-1", "Y_RUN_"]),
        ("run[-.]it", ["run-it", "run_it", "run.it"]),
        ("run[+-]it", ["run-it", "run+it"]),
        ("run[-]it", ["run-it"]),
        ("run[!-a]it", ["run.it"]),
    ],
)
def test_a_glob_with_a_set_takes_names_with_either_dash(alias: str, names: list[str]) -> None:
    """A dash before, behind or in a set is one that is written in either way; within it, it means a range."""
    assert {ends_as(name, ToolAliases({"bash": alias})) for name in names} == {"bash"}
    assert ends_as("run-ait", ToolAliases({"bash": alias})) == "run-ait"


@pytest.mark.parametrize(
    "name",
    ["bash", "Bash", "BASH", "shell", "SHELL", "sh", "run_command", "run-command", "Run-My-Command", "mcp__x__bash"],
)
def test_every_alias_becomes_the_tool(name: str) -> None:
    """In any letter case, and with `-` for `_`."""
    assert ends_as(name) == "bash"


@pytest.mark.parametrize("name", ["basher", "sh2", "read", "fish", "run_commands", "ba_sh"])
def test_what_is_no_alias_stays(name: str) -> None:
    """A name that is only like one is another tool's."""
    assert ends_as(name) == name


@given(
    st.sampled_from(["shell", "sh", "Bash"]),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=3),
    st.text(max_size=4),
)
def test_only_the_name_changes(name: str, arguments: dict[str, Any], call_id: str) -> None:
    """The id and the arguments stay; doing it again changes nothing."""
    outcome = decide(PACK.interceptors(), TOOL_CALL, ToolCall(call_id, name, arguments))
    assert outcome.value == ToolCall(call_id, "bash", arguments)
    assert decide(PACK.interceptors(), TOOL_CALL, outcome.value).value is outcome.value


def test_a_rule_about_the_tool_holds_for_every_alias() -> None:
    """It is judged under its own name, whichever bundle comes first."""
    no_bash = Interceptors(tool_call=[gate(lambda call: block("no bash"), name="no_bash", tools="bash")])
    for bundle in (merge(PACK.interceptors(), no_bash), merge(no_bash, PACK.interceptors())):
        for name in ("bash", "sh", "SHELL"):
            assert decide(bundle, TOOL_CALL, ToolCall("1", name, {})).reason == "no bash"


def test_an_alias_that_comes_later_is_blocked() -> None:
    """Whoever renames a call after this pack cannot bring the alias back."""
    late = Interceptors(tool_call=[rewriter(lambda call: replace(ToolCall(call.id, "sh", {})), name="late")])
    outcome = decide(merge(PACK.interceptors(), late), TOOL_CALL, ToolCall("1", "ls", {}))
    assert outcome.reason == "the name of the tool is an alias, put there after aliases were read"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("b\u0430sh", "mixes scripts"),
        ("read_f\u0456le", "mixes scripts"),
        ("\u03bfpen", "mixes scripts"),
        ("shel\u04cf", "mixes scripts"),
        ("\u0421at", "mixes scripts"),
        ("ba\u200bsh", "has a character that cannot be seen"),
        ("bash\u00a0", "has a character that cannot be seen"),
        ("bash ", "has a character that cannot be seen"),
        ("bash\n", "has a character that cannot be seen"),
        ("\u202ebash", "has a character that cannot be seen"),
        ("ba\u00adsh", "has a character that cannot be seen"),
        ("\uff42\uff41\uff53\uff48", "has another form of a letter"),
        ("\U0001d41bash", "has another form of a letter"),
        ("ba\u017fh", "has another form of a letter"),
        ("\u24d1ash", "has another form of a letter"),
        ("\u0299\u1d00\ua731\u029c", "has another form of a letter"),
        ("b\u0251sh", "has another form of a letter"),
        ("ba\u034fsh", "has a character that cannot be seen"),
        ("bash\u2800", "has a character that cannot be seen"),
        ("run\u2010command", "has a sign that may be taken for another"),
        ("f\u0966o", "mixes scripts"),
    ],
)
def test_a_name_that_deceives_is_blocked(name: str, why: str) -> None:
    """Cyrillic and Greek among Latin letters, what nobody sees, wide letters, small capitals, foreign signs."""
    assert ends_as(name) == f"the name of the tool {why}"


@pytest.mark.parametrize(
    "name",
    [
        "caf\u00e9",
        "\u0447\u0438\u0442\u0430\u0442\u044c",
        "\u8aad\u3080",
        "\uc77d\uae30_2",
        "stra\u00dfe",
        "a.b:c/d",
        "search2",
        "x-y_z",
        "\u03b1\u03b2\u03b3",
        "\u65e5\u672c\u8a9e\u306e\u30c4\u30fc\u30eb",
    ],
)
def test_a_name_in_one_script_is_fine(name: str) -> None:
    """Also where it is not Latin; digits and signs belong to all."""
    assert ends_as(name) == name


def test_a_name_in_one_foreign_script_is_not_told_from_a_plain_one() -> None:
    """A limit: each of these letters is Cyrillic."""
    assert ends_as("\u0441\u0430\u0442") == "\u0441\u0430\u0442"


def test_rewriters_that_come_first_see_the_alias() -> None:
    """A limit: the pack belongs before all others."""
    seen: list[str] = []
    first = Interceptors(tool_call=[rewriter(lambda call: seen.append(call.name), name="first")])
    decide(merge(first, PACK.interceptors()), TOOL_CALL, ToolCall("1", "sh", {}))
    assert seen == ["sh"]


def test_a_name_that_is_an_alias_of_two_tools_is_blocked() -> None:
    """Two globs may overlap; which is meant nobody knows."""
    pack = ToolAliases({"bash": ["run*"], "python": ["*code"]})
    assert ends_as("run_code", pack) == "the name is an alias of bash and python"
    assert ends_as("run", pack) == "bash"


@pytest.mark.parametrize(
    ("aliases", "place"),
    [
        ({}, "aliases"),
        (["bash"], "aliases"),
        ({"bash": []}, "aliases['bash']"),
        ({"bash": "["}, "aliases['bash']"),
        ({"bash": ["sh"], "sh": ["zsh"]}, "aliases['bash']"),
        ({"bash": ["sh"], "Bash": ["zsh"]}, "aliases['Bash']"),
        ({"bash": ["*"], "read": ["cat"]}, "aliases['bash']"),
        ({"b\u0430sh": ["sh"]}, "a key of aliases, 'b\\u0430sh'"),
        ({"": ["sh"]}, "a key of aliases"),
    ],
)
def test_aliases_that_contradict_each_other_are_refused(aliases: Any, place: str) -> None:
    """A tool that is an alias of another, or the same in other letters."""
    with pytest.raises(InvalidPack) as raised:
        ToolAliases(aliases)
    assert raised.value.place == place


def test_a_pack_may_be_made_of_another() -> None:
    """Its fields are what it takes."""
    assert evolve(PACK) == PACK


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green."""
    names = st.sampled_from(["sh", "bash", "SHELL", "ls", "b\u0430sh", "ba\u200bsh", "run_x_command"])
    calls = st.builds(ToolCall, st.just("1"), names, st.just({"a": 1}))
    assert broken(PACK, strategies={"tool_call": calls}) == []
    assert [one for one in broken(PACK) if "never said" not in one] == []


@pytest.mark.parametrize("given", [(), ("bash",), (("bash", "sh"),), {"bash": Globs()}, [("bash", "sh")], None])
def test_what_is_no_mapping_of_globs_is_refused(given: Any) -> None:
    """Whatever else a pack that was made has there."""
    with pytest.raises(InvalidPack, match="aliases"):
        ToolAliases(given)
    assert evolve(PACK) == PACK
