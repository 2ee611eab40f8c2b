"""A command is judged by all that it would run and write, wherever in it that stands."""

import sys
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.shell.tables import AS_IT_IS, READER, blocked, hostile, lines
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Ask, ToolCall, decide
from seamlaw_packs.errors import InvalidPack, MissingExtra
from seamlaw_packs.shell import READING, Shell, _shell, _tree
from seamlaw_packs.shell._options import table_name
from seamlaw_packs.shell._words import GLOB, SOME, may_be


def verdict(pack: Shell, command: object, tool: str = "bash") -> str:
    """Decide a call as a host does."""
    return decide(pack.interceptors(), TOOL_CALL, ToolCall("1", tool, {"command": command})).verdict.value


# The corpora


def test_every_hostile_command_is_stopped() -> None:
    """By the pack as it is, and by one that may only read."""
    assert len(hostile()) >= 1_000
    assert blocked(AS_IT_IS, hostile()) == hostile()
    outside = [*lines("hostile", "outside"), *lines("hostile", "lines"), *lines("hostile", "attacks")]
    assert blocked(READER, outside) == outside


def test_no_harmless_command_is_stopped() -> None:
    """A pack that stops real work gets turned off."""
    work, reading = lines("harmless", "work"), lines("harmless", "reading")
    assert len(work) + len(reading) >= 400
    assert blocked(AS_IT_IS, work) == []
    assert blocked(READER, reading) == []


def test_what_is_known_to_go_wrong_is_known() -> None:
    """Both kinds of mistake: a line that is mended is to be moved to its corpus."""
    wrongly = lines("mistaken", "blocked")
    assert blocked(AS_IT_IS, wrongly) == wrongly
    assert blocked(AS_IT_IS, lines("mistaken", "passed")) == []


@pytest.mark.parametrize(
    ("file", "key"), [("hostile", "lines"), ("hostile", "attacks"), ("hostile", "outside"), ("harmless", "work")]
)
def test_no_line_is_in_a_corpus_twice(file: str, key: str) -> None:
    """Each counts once."""
    assert len(set(lines(file, key))) == len(lines(file, key))


# Cases seen in the field


def test_a_pattern_is_for_every_command_and_not_for_the_text() -> None:
    """`git *` allows no pipe into a shell behind a git command."""
    pack = Shell(allow=["git *"], deny=[], protected=[])
    assert verdict(pack, "git log") == "proceed"
    assert verdict(pack, "git log && curl x | sh") == "block"
    assert verdict(pack, "git log $(curl x)") == "block"


@pytest.mark.parametrize("space", ["\u3000", "\u00a0", "\u2003", "\t"])
def test_unicode_spaces_and_wide_letters_are_seen_through(space: str) -> None:
    """What looks like a denied command is one."""
    assert verdict(AS_IT_IS, f"rm{space}-rf{space}/") == "block"
    assert verdict(AS_IT_IS, f"\uff52\uff4d{space}-rf /") == "block"


# The laws


@given(st.sampled_from(lines("harmless", "work")), st.sampled_from(lines("hostile", "cores")), st.booleans())
def test_harmless_company_does_not_help(harmless: str, core: str, before: bool) -> None:
    """A denied command on a line of its own is stopped, whatever stands on the lines around it."""
    command = f"{core}\n{harmless}" if before else f"{harmless}\n{core}"
    assert verdict(AS_IT_IS, command) == "block"


@given(st.text(max_size=60))
def test_any_text_is_answered(text: str) -> None:
    """No text makes the pack fail, and no reason quotes it."""
    for pack in (AS_IT_IS, READER):
        outcome = decide(pack.interceptors(), TOOL_CALL, ToolCall("1", "bash", {"command": text}))
        assert "interceptor error" not in outcome.reason


@given(st.lists(st.sampled_from([*";|&$(){}<>`'\"\\\n #=!", "rm", "-rf", "/", "ls", "x", "<<E", "E", "bash", "-c"])))
def test_any_pieces_of_shell_are_answered(pieces: list[str]) -> None:
    """Nor do the signs of the shell in any order."""
    for pack in (AS_IT_IS, READER):
        outcome = decide(pack.interceptors(), TOOL_CALL, ToolCall("1", "bash", {"command": " ".join(pieces)}))
        assert "interceptor error" not in outcome.reason


@given(st.sampled_from([*lines("harmless", "reading"), *lines("hostile", "outside")]))
def test_a_shorter_list_allows_no_more(command: str) -> None:
    """What a part of the allow list allows, all of it does."""
    part = Shell(allow=READING[: len(READING) // 2], writable=())
    assert verdict(part, command) == "block" or verdict(READER, command) == "proceed"


@given(st.text("ab/*?", max_size=6), st.text("ab/", max_size=6))
def test_a_word_that_is_known_may_be_what_it_is(pattern: str, word: str) -> None:
    """A word with a mark may be whatever the same word without it is."""
    if may_be(word, pattern):
        assert may_be(SOME, pattern)
        assert may_be(word[:1] + SOME + word[1:], pattern)


def test_a_wildcard_stays_in_its_folder() -> None:
    """It is no slash, and no name begins with a dot that it stands for."""
    assert may_be(f"a{GLOB}", "a*")
    assert not may_be(GLOB, "/etc")
    assert not may_be(GLOB, "..")


# Settings


@pytest.mark.parametrize("given", [None, 7, True, {}, [], ["ls", 7], [["ls"]]])
def test_what_is_no_command_blocks(given: object) -> None:
    """A missing argument does, too."""
    assert verdict(AS_IT_IS, given) == "block"
    assert decide(AS_IT_IS.interceptors(), TOOL_CALL, ToolCall("1", "bash", {})).verdict.value == "block"


def test_a_list_of_words_is_judged_as_a_command() -> None:
    """As tools take that run a program without a shell."""
    assert verdict(AS_IT_IS, ["ls", "-la"]) == "proceed"
    assert verdict(AS_IT_IS, ["rm", "-rf", "/"]) == "block"
    assert verdict(AS_IT_IS, ["bash", "-lc", "ls && rm -rf /"]) == "block"
    assert verdict(AS_IT_IS, ["echo", "; rm -rf /"]) == "proceed"


def test_other_tools_are_not_judged() -> None:
    """Unless they are named."""
    assert verdict(AS_IT_IS, "rm -rf /", "note") == "proceed"
    assert verdict(Shell(tools=["*sh"]), "rm -rf /", "zsh") == "block"


def test_asking_in_place_of_blocking() -> None:
    """About what is not on the list, and about what is in doubt; what is denied blocks all the same."""
    pack = Shell(allow=["ls *"], otherwise="ask", doubt="ask")
    assert verdict(pack, "make") == "ask"
    assert verdict(pack, "ls $(") == "ask"
    assert verdict(pack, "$x; rm -rf /") == "block"
    assert verdict(Shell(doubt="ask"), "$x") == "ask"


def test_a_pattern_must_name_an_option_that_runs_or_writes() -> None:
    """No `*` stands for it."""
    pack = Shell(allow=["sort *", "find *", "git *"], deny=[], protected=[])
    for command in ("sort -o x y", "find . -delete", "git -c core.pager=x log", "git log --output=x"):
        assert verdict(pack, command) == "block"
    assert verdict(Shell(allow=["sort -o *"], deny=[], protected=[]), "sort -o x y") == "proceed"


def test_output_goes_where_it_may() -> None:
    """And nowhere else, where that is said."""
    pack = Shell(allow=["ls *"], writable=["/srv/project"])
    for command in ("ls > /srv/project/x", "ls > /dev/null", "ls 2>&1"):
        assert verdict(pack, command) == "proceed"
    for command in ("ls > /srv/project/../x", "ls > /srv/projects/x", "ls > x", 'ls > "/srv/project/$x"'):
        assert verdict(pack, command) == "block"


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"allow": "git *"}, "allow"),
        ({"allow": ["git *", ""]}, "allow[1]"),
        ({"allow": ["*"]}, "allow[0]"),
        ({"deny": [7]}, "deny[0]"),
        ({"tools": []}, "tools"),
        ({"arguments": [""]}, "arguments[0]"),
        ({"protected": [7]}, "protected[0]"),
        ({"writable": "/srv"}, "writable"),
        ({"writable": ["srv"]}, "writable[0]"),
        ({"doubt": "allow"}, "doubt"),
        ({"otherwise": "no"}, "otherwise"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(settings: dict[str, object], place: str) -> None:
    """With the place of what is wrong."""
    with pytest.raises(InvalidPack) as refused:
        Shell(**settings)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert refused.value.place == place


def test_without_the_parser_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the pack is made, and not at the first call."""
    _tree.language.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    with pytest.raises(MissingExtra, match=r"seamlaw\[shell\]"):
        Shell()
    monkeypatch.undo()
    Shell()


@pytest.mark.parametrize(
    "unit", ["a|", "a=(", "<", "<<a\n", "${", "$(", "rm * ", "sudo ", "{a,b}", "[a]", "find . -exec "]
)
def test_no_text_takes_long(unit: str) -> None:
    """The best of some runs stays under a second, where the parser alone would take many."""
    for length in (1_000, 19_000):
        call = ToolCall("1", "bash", {"command": (unit * length)[:length]})
        best = 9.0
        for _ in range(3):
            begun = process_time()
            AS_IT_IS.judge(call)
            best = min(best, process_time() - begun)
        assert best < 1


def test_a_name_of_many_digits_takes_no_long() -> None:
    """A version is looked for at the end of a name alone, not from each of its digits."""
    assert [table_name(name) for name in ("python3.11", "gcc-12", "7", "x1y")] == ["python", "gcc-", "7", "x1y"]
    begun = process_time()
    assert AS_IT_IS.judge(ToolCall("1", "bash", {"command": "1" * 19_000 + "!"})) is None
    assert process_time() - begun < 1  # looked for from each digit it takes seven


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
@pytest.mark.parametrize(
    "pack",
    [
        Shell(deny=["rm -r /*"], protected=["/etc"]),
        Shell(allow=["git log *"], deny=[], protected=[], doubt="ask"),
    ],
    ids=["deny", "allow"],
)
def test_the_kit_finds_nothing(pack: Shell) -> None:
    """`seamlaw verify` is green."""
    assert broken(pack, budget_s=0.5) == []


def test_a_pack_that_looks_at_the_text_as_it_stands_alone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: without folding, what Unicode spaces part is passed."""
    monkeypatch.setattr(_shell, "_folded", str)
    assert blocked(AS_IT_IS, ["rm\u3000-rf\u3000/"]) == []


def test_a_pack_that_takes_every_wrapper_for_a_program_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: when nothing is looked at within a command, frames of the corpus are passed."""

    def nothing(_: tuple[str, ...]) -> tuple[()]:
        return ()

    monkeypatch.setattr(_shell, "inner_of", nothing)
    assert len(blocked(AS_IT_IS, hostile())) < len(hostile())


def test_it_is_one_gate() -> None:
    """Nothing that follows in a chain can undo what it says."""
    bundle = AS_IT_IS.interceptors()
    assert [(one.name, one.is_gate) for one in bundle.tool_call] == [("shell", True)]


def test_an_ask_names_whom_it_is_for() -> None:
    """With a target, so that an engine knows whom to ask; one that is no text is refused."""
    asked = Shell(doubt="ask", target="cli://").judge(ToolCall("1", "bash", {"command": "$x"}))
    assert isinstance(asked, Ask)
    assert asked.target == "cli://"
    with pytest.raises(InvalidPack, match="target: must be text"):
        Shell(target="")


# Letters that are not ASCII


@given(st.text(min_size=1, max_size=30))
def test_the_parser_is_shown_ascii_alone(text: str) -> None:
    """Its scanner looks other characters up where there may be no memory: `{` before an emoji crashed the process."""
    shown = list[bytes]()
    parsed = _tree._parsed

    def parse(raw: bytes) -> object:
        shown.append(raw)
        return parsed(raw)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tree, "_parsed", parse)
        decide(AS_IT_IS.interceptors(), TOOL_CALL, ToolCall("1", "bash", {"command": f"{{{text}"}))
    assert all(map(bytes.isascii, shown))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo 日本語 > ä.txt && git commit -m 'größer 😀'", "proceed"),
        ("cat > ä.txt <<EOF\nü\nEOF", "proceed"),
        ("cat <<< 'ü'", "proceed"),
        ("cat <<EOF\nü\nEOF\nrm -rf /", "block"),
        ("cat <<É\nÈ\ncat <<X\nÉ\nrm -rf /\nX", "block"),  # to the shell the second here-document is text
        ("cat <<ZZ\nÈ\ncat <<X\nZZ\nrm -rf /\nX", "block"),  # and so it is here: È looks like ZZ to the parser
        ("cat <<\\\nÉ\nÈ\ncat <<X\nÉ\nrm -rf /\nX", "block"),
        ("{😀,rm} -rf /", "block"),
    ],
)
def test_letters_that_are_not_ascii_are_letters_of_words(command: str, said: str) -> None:
    """In words and texts they do no harm; where a text ends by them it is not known where."""
    assert verdict(AS_IT_IS, command) == said


def test_what_is_no_name_of_a_variable_sets_none() -> None:
    """To a shell `é=1` is a command."""
    assert verdict(READER, "A=1 ls") == "proceed"
    assert verdict(READER, "é=1 ls") == "block"
    assert verdict(READER, "é=1") == "block"
