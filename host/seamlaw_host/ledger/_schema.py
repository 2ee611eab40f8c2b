"""The schema of a record as JSON Schema, for those who read a ledger in another language."""

from typing import Any

import msgspec

from ._record import SCHEMA, Record

__all__ = ["record_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def record_schema() -> dict[str, Any]:
    """Give the JSON Schema of a record, as `docs/record.schema.json` has it.

    What it does not name is allowed: a field may be added under the same number.
    """
    made = msgspec.json.schema(Record)
    fields = made["$defs"]["Record"]["properties"]
    fields["schema"] = {"const": SCHEMA}
    made["$defs"]["Record"]["required"] = list(fields)  # all are written, also those that have a default to be read by
    return {"$schema": DIALECT, "title": SCHEMA, **made}
