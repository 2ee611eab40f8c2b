"""The messages as JSON Schema, for those who write an extension in another language."""

from typing import Any

import msgspec

from ._protocol import FROM_EXTENSION, FROM_HOST, PROTOCOL

__all__ = ["extension_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def extension_schema() -> dict[str, Any]:
    """Give the JSON Schema of a line, as `docs/extension.schema.json` has it."""
    sides = {"FromHost": FROM_HOST, "FromExtension": FROM_EXTENSION}
    listed, components = msgspec.json.schema_components([*FROM_HOST, *FROM_EXTENSION], ref_template="#/$defs/{name}")
    refs = dict(zip((*FROM_HOST, *FROM_EXTENSION), listed, strict=True))
    unions = {side: {"anyOf": [refs[kind] for kind in kinds]} for side, kinds in sides.items()}
    return {
        "$schema": DIALECT,
        "title": f"seamlaw.extension/{PROTOCOL}",
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": {**unions, **components},
    }
