"""What cannot be known of a command."""

__all__ = ["Doubt"]


class Doubt(Exception):
    """Something that the shell will know and the pack does not; its text quotes nothing of the command."""
