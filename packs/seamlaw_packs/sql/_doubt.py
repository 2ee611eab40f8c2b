"""What cannot be known of a text."""

__all__ = ["Doubt"]


class Doubt(Exception):
    """Something that the database will read and the pack does not, for certain; it quotes nothing of the text."""
