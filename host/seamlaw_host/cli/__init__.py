"""The command `seamlaw`. Nothing but click is imported before it is known which command is meant."""

from ._main import main as main

__all__ = ["main"]
