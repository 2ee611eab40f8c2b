"""Approvals: who is asked, how, and what counts as a yes. Only `True` does."""

from importlib import import_module
from typing import TYPE_CHECKING

from ._approval import Approval as Approval
from ._approval import Claimed as Claimed
from ._approval import State as State
from ._approval import Vote as Vote
from ._approvals import Approvals as Approvals
from ._approvals import Asking as Asking
from ._cli import CliHandler as CliHandler
from ._errors import InvalidApprovals as InvalidApprovals
from ._errors import NotAnApprover as NotAnApprover
from ._errors import NotOpen as NotOpen
from ._errors import StoreUnavailable as StoreUnavailable
from ._errors import UnknownApproval as UnknownApproval
from ._redaction import Redactor as Redactor
from ._request import BatchHandler as BatchHandler
from ._request import Handler as Handler
from ._request import Request as Request
from ._signing import is_from_slack as is_from_slack
from ._signing import is_signed as is_signed
from ._store import ApprovalStore as ApprovalStore
from ._store_handler import StoreHandler as StoreHandler

if TYPE_CHECKING:
    from ._slack import SlackHandler as SlackHandler
    from ._slack_receiver import SlackReceiver as SlackReceiver
    from ._webhook import WebhookHandler as WebhookHandler

LATER = {  # what brings an event loop or a server along is loaded when it is named
    "SlackHandler": "_slack",
    "SlackReceiver": "_slack_receiver",
    "WebhookHandler": "_webhook",
}

__all__ = [
    "Approval",
    "ApprovalStore",
    "Approvals",
    "Asking",
    "BatchHandler",
    "Claimed",
    "CliHandler",
    "Handler",
    "InvalidApprovals",
    "NotAnApprover",
    "NotOpen",
    "Redactor",
    "Request",
    "SlackHandler",
    "SlackReceiver",
    "State",
    "StoreHandler",
    "StoreUnavailable",
    "UnknownApproval",
    "Vote",
    "WebhookHandler",
    "is_from_slack",
    "is_signed",
]


def __getattr__(name: str) -> object:
    """Load a handler with the first use of its name."""
    if name in LATER:
        return getattr(import_module(f".{LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
