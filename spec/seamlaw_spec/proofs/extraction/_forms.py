"""The forms of the shipped functions: read beside the kernel, this is all that each of them names and keeps."""

from ._code import Form

__all__ = ["FORMS", "PLANS"]

FORMS: dict[str, Form] = {
    "step": Form(
        "Allow Ask Block Fault Note Replace State answer assert_never is_gate log stopped value",
        "value",
        payload="state.value state.log",
        to="State",
    ),
    "asking": Form(
        "Consultation agent function matches step stopped tool value",
        "asked entry state",
        over="everyone",
        payload="state.value",
        to="Consultation seam.tool",
    ),
    "drive": Form("StopIteration send value", "end entries question"),
    "pick": Form("_outranks", "finding worst", over="findings"),
    "outranks": Form("GRAVER join level severity", ""),
    "level": Form("BLOCK Fault KINDS Level Replace answer is_gate type", "answer closed"),
    "severity": Form("LOW Severity answer getattr", ""),
    "consult": Form("Exception ask interceptor offered raised read scope", "error"),
    "conclude": Form(
        "ALLOW ASK Ask Level NOBODY Outcome PROCEED StandingAsk VERDICTS Verdict answer digest interceptor isinstance "
        "level log name pick reason severity target timeout_s tuple value",
        "a ask asks name said value verdict worst",
    ),
    "keep": Form("all evolve getattr items kept", "changed kept name"),
    "merge": Form("Interceptors _FIELDS checked getattr len tuple", "b bundle contributing given item joined name"),
    "ordered": Form("TOOL_CALL at by_rule is_gate", "chain fills gates given i judges r rules"),
    "settle": Form(
        "ASK Answered BLOCK PROCEED Verdict _why all append asks covers evolve granted interceptor list next reason "
        "remove tuple type verdict",
        "answer ask asker mine reason reasons refusal unused",
    ),
    "evaluate": Form(
        "AND Finding Level NOBODY NOT NOTE Scope _CLEAN _F _N _X _active _call _evaluation _must_not_hold "
        "activations all check finding hook level list negated requirements",
        "asked failures faults finding mine notes predicate r requirement result said scope wanted",
    ),
    "evaluate_both": Form("TABLES _evaluation evaluate failures faults left notes operator result right", "a b result"),
    "evaluation": Form("Evaluation Level NOTE _F _X evolve", "fault"),
    "all_hold": Form("Mismatch", "claim mismatch unknown", over="claims"),
    "holds": Form("MISSING Mismatch OPERATORS holds kind_of kinds operand operator", "kind operator"),
    "locate": Form("MISSING Mismatch fullmatch get int kind_of len re", "found key kind", over="keys"),
    "fill": Form("Mismatch _fill dict get isinstance object str", "here"),
    "default": Form("MISSING Replace ToolCall _fill arguments at freeze holds id locate name only value", "filled"),
}
PLANS: dict[str, Form] = {  # the loops that two of them make
    "plan_of_one": Form(
        "ALLOW Exception Scope agent go_on name prepared scope_of type",
        "answer error failed function",
        closes_over="kind made ready run_any",
    ),
    "plan_of_any": Form(
        "ALLOW Exception Scope admit admit_beside agent go_on prepared scope_of tool",
        "answer beside error failed function offered scope value",
        closes_over="made ready scoped seam",
    ),
}
