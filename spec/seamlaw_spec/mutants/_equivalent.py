"""Mutants that nothing can notice, each with the reason: the changed kernel does the same."""

from collections.abc import Mapping

__all__ = ["EQUIVALENT"]

_CHECKED = "checked() gives back the very bundle it is given, so either side of `and` says what both say"
_POSIX = "a path on POSIX, where the matrix is made, is written without backslashes, so nothing is replaced"
_CODEC = "Python finds a codec by its letters and digits, so the one of this name is the very same"
_DIGITS = "of the text of a number nothing but digits is stripped, and it has none of this sign"
_ENFORCED = "a negated policy fails only where a requirement that is enforced held, and that one pick() finds"
_ORDER = "the parts are of different types, so their order tells nothing"
_NOTHING = "there is nothing inside whose order could count"
_SAME = "what every class keeps there is the same, so it adds the same to each hash"

EQUIVALENT: Mapping[str, str] = {
    r"seamlaw._step table: another text: '\\'": _POSIX,
    "seamlaw._step table: another text: '/'": _POSIX,
    r"seamlaw._step told: another text: '\\'": _POSIX,
    "seamlaw._step told: another text: '/'": _POSIX,
    "seamlaw._step conclude: without part 0: worst is None or verdict is Verdict.PROCEED": (
        "where nothing was found the verdict is that of the level ALLOW, which is PROCEED, so the other part holds too"
    ),
    "seamlaw._step deciding: and for or: checked(bundle) and bundle": _CHECKED,
    "seamlaw._step deciding: without part 1: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch handle: and for or: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch handle: without part 1: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch observe: and for or: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch observe: without part 1: checked(bundle) and bundle": _CHECKED,
    "seamlaw._step asking: continue: break": (
        "a state that is stopped stays so, and each that is left is passed over in turn without being asked"
    ),
    "seamlaw._decisions text_of: another text: 'utf-8'": _CODEC,
    "seamlaw.values._canonical _write_object: another text: 'utf-16-be'": _CODEC,
    "seamlaw.values._digest digest: another text: 'utf-8'": _CODEC,
    "seamlaw.values._canonical _write_object: another text: 'surrogatepass'": (
        "a key that holds a lone surrogate is refused when it is frozen, so the handler is never looked up"
    ),
    "seamlaw.values._canonical _write: without part 0: kind is int or value - value == 0": (
        "an integer less itself is 0, so the other part holds too"
    ),
    "seamlaw.values._canonical _has_fields: return None: return False": "it is only asked for its truth, and has none",
    "seamlaw.values._canonical _has_fields: the other truth: False": (
        "what raises here raises when its fields are looked up too, and is then written the same way"
    ),
    "seamlaw.values._canonical _integer: swap Lt: 2 ** 53 < abs(value) < 10 ** 21": (
        "2^53 is a double, so the part after it does not hold"
    ),
    "seamlaw.values._canonical _integer: swap Lt: 2 ** 53 < abs(value) < 10 ** 21 #1": (
        "10^21 is a double, so the part after it does not hold"
    ),
    "seamlaw.values._canonical _integer: one more: 53": (
        "between 2^53 and 2^54 only every other integer is a double, and the shortest text of each is exact"
    ),
    "seamlaw.values._canonical _integer: one more: 10": (
        "from 10^21 on a double is written with an exponent, so no integer has its text"
    ),
    "seamlaw.values._canonical _integer: one more: 21": (
        "from 10^21 on a double is written with an exponent, so no integer has its text"
    ),
    "seamlaw.values._canonical _float: another text: '0' #1": _DIGITS,
    "seamlaw.values._canonical _float: another text: '0' #2": _DIGITS,
    "seamlaw.values._canonical _float: another text: '0' #5": _DIGITS,
    "seamlaw.values._canonical _float: another text: '0' #3": (
        "a fraction of 0 is stripped to nothing, which leaves the whole part: the other branch only gets there sooner"
    ),
    "seamlaw.values._canonical _float: without part 0: exponent or 0 #1": (
        "repr() writes no exponent after a mantissa that begins with 0"
    ),
    "seamlaw.values._canonical _float: one more: 0 #4": "a point of 1 was taken by the branch before",
    "seamlaw.values._canonical _float: swap Lt: value < 0": "zero was answered at the top",
    "seamlaw.values._globs _patterns: without part 0: '-' in pattern and any((low > high for chars in re.findall("
    r"'\\[([^\\]]+)\\]', pattern) for low, high in re.findall('(.)-(.)', chars)))": (
        "where there is no - there is no range that could run backwards"
    ),
    **{
        f"seamlaw.values._globs Globs.table: the other truth: False #{number}".removesuffix(" #0"): (
            "it is derived of the globs alone, so it is equal where these are"
        )
        for number in (1, 4, 7, 10)
    },
    "seamlaw._plan plan: without part 1: not checked(bundle) or bundle is None": "None is as false as an empty bundle",
    "seamlaw._plan _Seam.callable: without part 1: self.scoped and beside": (
        "ask() calls with what is declared; the forms below do the same sooner where nothing stands beside"
    ),
    "seamlaw._plan _Seam.callable: without part 0: self.scoped and takes.scope == 'by name'": (
        "where one takes the scope by its name the seam is scoped"
    ),
    "seamlaw._plan _Seam.go_on: without part 0: not state.stopped and (rest := self.after(at, (state.value, *beside), "
    "scope))": "once it is stopped asking() asks nobody, and there is an end of those who are left",
    "seamlaw.policy._conditions Absence.table: another text: 'missing'": (
        "it is told by what it is: nobody reads the value of its only member"
    ),
    "seamlaw.policy._conditions only_keys: one more: 1": "of the names that are close only the first is told",
    "seamlaw._interceptors Interceptor.table: the other truth: False #5": (
        "it is derived of the observing function, so it is equal where these are the same"
    ),
    "seamlaw.policy._conditions same: return None: return False": (
        "inside of all() and any() only its truth counts, and equals is never for a value of another type"
    ),
    "seamlaw.policy._conditions table: without not: not holds(x, v)": (
        "holds() answers for not before it looks the row up: it stands there to be read and written"
    ),
    "seamlaw._plan _Seam.callable: swap In: id(function) in self.places": (
        "no bare function is ever placed, so each is wrapped, and has a place of its own all the same"
    ),
    "seamlaw._plan _Seam.after: without part 0: self.by_tool and first < len(places) and (not self.everyone[places"
    "[first]].is_gate)": "asked one after another, with a look-up before each, those that match are the same",
    "seamlaw._plan _Seam.after: without part 2: self.by_tool and first < len(places) and (not self.everyone[places"
    "[first]].is_gate)": "a gate leaves the value as it is, so a look-up after it finds the same",
    "seamlaw.policy._policy Requirement.table: the other truth: False": (
        "it is derived of the predicate and the hook, so it is equal where these are"
    ),
    "seamlaw.values._globs _suffixes: without part 1: p[0] == '*' and len(p) > 1 and (not _WILD.search(p[1:]))": (
        "the glob * begins with nothing too, which admits every name already"
    ),
    "seamlaw.values._globs _suffixes: swap Gt: len(p) > 1": (
        "the glob * begins with nothing too, which admits every name already"
    ),
    "seamlaw.values._frozen frozen_text: swap LtE: len(value) <= MAX_SIZE": (
        "the way round by freeze() gives back the same text"
    ),
    "seamlaw.policy._pattern table: another text: 'start'": "it need only be longer than a character, and no other",
    "seamlaw.policy._pattern table: another text: 'end'": "it need only be longer than a character, and no other",
    "seamlaw.policy._pattern _repeat: one more: 0": "once is no more than a thousand times either",
    "seamlaw.policy._policy Policy.evaluate: without part 0: asked and (not all((_active(predicate, wanted, "
    "_call(offered), scope) for predicate, wanted in asked)))": "all() of nothing holds, so the part after it does not",
    "seamlaw.policy._policy _must_not_hold: without part 1: pick(enforced) or findings[0]": _ENFORCED,
    "seamlaw.policy._policy _must_not_hold: one more: 0": _ENFORCED,
    "seamlaw.values._frozen _object: one more: 0 #1": "a key is text, which holds nothing: levels do not count",
    "seamlaw.policy._fingerprint table: another text: '\\\\'": _POSIX,
    "seamlaw.policy._fingerprint table: another text: '\\\\' #1": _POSIX,
    "seamlaw.policy._fingerprint table: another text: '/'": _POSIX,
    "seamlaw.policy._fingerprint table: another text: '/' #3": _POSIX,
    "seamlaw.policy._fingerprint table: another text: '__dict__'": _SAME,
    "seamlaw.policy._fingerprint table: another text: '__qualname__'": "no class keeps it among its attributes",
    "seamlaw.policy._fingerprint _hash: another text: 'utf-8'": _CODEC,
    "seamlaw.policy._fingerprint _parts: the other truth: True": _NOTHING,
    "seamlaw.policy._fingerprint _parts: the other truth: True #1": _ORDER,
    "seamlaw.policy._fingerprint _code: the other truth: True": _ORDER,
    "seamlaw.policy._fingerprint _class: the other truth: True": _NOTHING,
    "seamlaw.policy._fingerprint _class: the other truth: True #1": _ORDER,
    "seamlaw.policy._fingerprint _filled: return None: return False": "it is only asked for its truth, and has none",
    "seamlaw.policy._pattern Pattern.search: one more: 0": (
        "the first symbol is the start of the text, which nothing in a pattern comes before"
    ),
}
