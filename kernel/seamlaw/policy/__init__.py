"""Two ways to write policies, as code and as data; both come down to interceptors, and the core knows neither."""

from ._conditions import Condition, Mismatch, Operation
from ._pattern import Pattern
from ._policy import AgentScoped, Evaluation, Policy, Result
from ._rules import Default, Filter, Rule, parse_rules, rules_data

__all__ = [
    "AgentScoped",
    "Condition",
    "Default",
    "Evaluation",
    "Filter",
    "Mismatch",
    "Operation",
    "Pattern",
    "Policy",
    "Result",
    "Rule",
    "parse_rules",
    "rules_data",
]
