"""Reports on a ledger: counts, graphs, and the story of a session, for people and for other tools."""

from ._csv import as_csv as as_csv
from ._data import as_data as as_data
from ._graph import as_dot as as_dot
from ._graph import as_mermaid as as_mermaid
from ._html import as_html as as_html
from ._narrative import narrated as narrated
from ._summary import Counts as Counts
from ._summary import Session as Session
from ._summary import Summary as Summary
from ._text import as_text as as_text

__all__ = [
    "Counts",
    "Session",
    "Summary",
    "as_csv",
    "as_data",
    "as_dot",
    "as_html",
    "as_mermaid",
    "as_text",
    "narrated",
]
