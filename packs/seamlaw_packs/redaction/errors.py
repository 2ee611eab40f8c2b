"""What is raised when a redactor is made of something that it cannot be made of."""

from seamlaw_packs.errors import InvalidPack

__all__ = ["InvalidRedactor"]


class InvalidRedactor(InvalidPack):
    """A redactor that cannot be made; `place` says of what part, such as `patterns['acme-key']`."""
