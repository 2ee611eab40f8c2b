"""A value made again with other containers; with plain ones, two values can be compared whatever holds them."""

from collections.abc import Callable
from typing import Any, cast

from attrs import frozen

from seamlaw import freeze

from ._fields import fields_of

__all__ = ["Twin", "plain"]


@frozen
class Twin:
    """How the containers and leaves of a value are made again."""

    of_dict: Callable[[dict[str, Any]], Any] = freeze
    of_list: Callable[[list[Any]], Any] = freeze
    of_leaf: Callable[[Any], Any] = lambda leaf: leaf

    def of(self, value: Any) -> Any:
        """Make a value again, the inner parts first."""
        if isinstance(value, dict):
            return self.of_dict({key: self.of(item) for key, item in cast("dict[str, Any]", value).items()})
        if isinstance(value, list | tuple):
            items = [self.of(item) for item in cast("list[Any]", value)]
            return self.of_list(items) if isinstance(value, list) else tuple(items)
        fields = fields_of(value)
        if not fields:
            return self.of_leaf(value)
        made = object.__new__(cast(Any, type(value)))
        for one in fields:
            object.__setattr__(made, one.name, self.of(getattr(value, one.name)))
        return made


plain = Twin(dict, list)
