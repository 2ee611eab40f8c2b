"""What is raised for a text that cannot be read for certain."""

__all__ = ["Doubtful"]


class Doubtful(Exception):
    """What is wrong with a URL; its text goes after the name of an argument, and quotes nothing of it."""
