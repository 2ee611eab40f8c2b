"""What the laws of the fold range over: streams of answers, as data that every engine can take."""

from enum import Enum

from attrs import frozen

__all__ = ["Heard", "Said"]


class Said(Enum):
    """What was answered, without its words."""

    ALLOW = 0
    NOTE = 1
    REPLACE = 2
    ASK = 3
    BLOCK = 4
    OPEN_FAULT = 5
    CLOSED_FAULT = 6
    GRAVE_NOTE = 7
    GRAVE_ASK = 8
    LIGHT_BLOCK = 9


@frozen
class Heard:
    """One answer; its number is what a replacement replaces by."""

    said: Said
    number: int = 0
