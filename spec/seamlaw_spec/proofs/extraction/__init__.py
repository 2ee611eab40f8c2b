"""The model, extracted from the shipped functions; each check that they are of its form is one module."""

from ._model import Model, extract
from ._opaque import NotExtracted
from ._shapes import Row, Shape
from ._shipped import SHIPPED, Shipped

__all__ = ["SHIPPED", "Model", "NotExtracted", "Row", "Shape", "Shipped", "extract"]
