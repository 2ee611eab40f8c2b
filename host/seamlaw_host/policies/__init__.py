"""Policies from files and from code, as bundles; everything that is refused is refused with its place."""

from ._load import load_policies as load_policies
from ._load import load_policy as load_policy
from .errors import PolicyError as PolicyError

__all__ = ["PolicyError", "load_policies", "load_policy"]
