"""The ledger: what was decided, redacted, in memory, in files and in databases."""

from ._errors import LedgerForked as LedgerForked
from ._errors import LedgerLocked as LedgerLocked
from ._errors import NoLedger as NoLedger
from ._happening import Happening as Happening
from ._happening import Mode as Mode
from ._jsonl import JsonlSink as JsonlSink
from ._ledger import Durability as Durability
from ._ledger import Ledger as Ledger
from ._links import Problem as Problem
from ._links import Verified as Verified
from ._making import record_of as record_of
from ._read import Unread as Unread
from ._read import read_ledger as read_ledger
from ._record import SCHEMA as SCHEMA
from ._record import Asked as Asked
from ._record import Finding as Finding
from ._record import Inputs as Inputs
from ._record import Kept as Kept
from ._record import Record as Record
from ._redaction import NO_REDACTION as NO_REDACTION
from ._redaction import WITHHELD as WITHHELD
from ._redaction import Redactor as Redactor
from ._schema import record_schema as record_schema
from ._sinks import Sink as Sink
from ._sql import SqlSink as SqlSink
from ._verify import ledgers as ledgers
from ._verify import verify as verify

__all__ = [
    "NO_REDACTION",
    "SCHEMA",
    "WITHHELD",
    "Asked",
    "Durability",
    "Finding",
    "Happening",
    "Inputs",
    "JsonlSink",
    "Kept",
    "Ledger",
    "LedgerForked",
    "LedgerLocked",
    "Mode",
    "NoLedger",
    "Problem",
    "Record",
    "Redactor",
    "Sink",
    "SqlSink",
    "Unread",
    "Verified",
    "ledgers",
    "read_ledger",
    "record_of",
    "record_schema",
    "verify",
]
