"""The laws, one module a group; a module that is put here is found by itself."""

import sys
from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any

from seamlaw_spec._law import RECORDED, Law
from seamlaw_spec.book import BOOK

__all__ = ["LAWS"]


def _place(law: Law) -> tuple[int, int]:
    """Where the book has a law; what it does not list goes to the end, where a test finds it."""
    groups, names = list(BOOK), list(BOOK.get(law.group, ()))
    if law.name not in names:
        return len(groups), 0
    return groups.index(law.group), names.index(law.name)


def _in_the_order_of_the_book() -> Mapping[str, Law]:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return MappingProxyType({law.name: law for law in sorted(RECORDED.values(), key=_place)})


LAWS = _in_the_order_of_the_book()


class _Callable(ModuleType):
    """The package; when it is called, it is the decorator `seamlaw_spec.kit.laws`, which makes tests of a policy."""

    def __call__(self, policy: object, **options: Any) -> Any:
        from seamlaw_spec.kit import laws

        return laws(policy, **options)


sys.modules[__name__].__class__ = _Callable
