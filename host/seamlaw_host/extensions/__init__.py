"""Extensions: interceptors in another process and any language, over lines of JSON; docs/extensions.md."""

from ._check import Checked as Checked
from ._check import check_extension as check_extension
from ._extension import Extension as Extension
from ._protocol import PROTOCOL as PROTOCOL
from ._remote import consult_async as consult_async
from ._schema import extension_schema as extension_schema
from ._settings import DEADLINES_S as DEADLINES_S
from .errors import ExtensionFailed as ExtensionFailed

__all__ = [
    "DEADLINES_S",
    "PROTOCOL",
    "Checked",
    "Extension",
    "ExtensionFailed",
    "check_extension",
    "consult_async",
    "extension_schema",
]
