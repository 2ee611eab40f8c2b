"""Takes secrets out of texts and values before they are written down or shown, and puts labels in their place.

It knows the tokens of some twenty issuers by their prefixes, private keys, JSON Web Tokens, passwords in URLs and
connection strings, and what stands under a name such as `password`; with `PII`, also what tells of a person. It does
not know a secret without a mark, nor one that is encoded, split up or has characters put into it: `docs/redaction.md`
lists what is found and what is not.
"""

from ._pii import PII as PII
from ._redactor import LONGEST as LONGEST
from ._redactor import SECRETS as SECRETS
from ._redactor import Redactor as Redactor
from ._stream import Stream as Stream
from ._view import Family as Family
from .errors import InvalidRedactor as InvalidRedactor

__all__ = ["LONGEST", "PII", "SECRETS", "Family", "InvalidRedactor", "Redactor", "Stream"]
