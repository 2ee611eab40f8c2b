"""The layers: how each law is checked against the shipped kernel. Each layer is a module with a `check(law)`."""

from ._evidence import Evidence

__all__ = ["Evidence"]
