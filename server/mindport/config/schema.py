"""The settings model in the forms that others read: a JSON schema for editors, and the settings page of the
documentation."""

from __future__ import annotations

import json
import typing
from typing import Any

import msgspec

from mindport.config.settings import DEFAULT_EXCLUDE, Settings

PAGE_HEAD = """\
# Configuration

mindport reads `[tool.mindport]` from the nearest `pyproject.toml`, looking upward from each file. An option
of the command line or a setting of the editor replaces the value of the file. A wrong key or value stops the
run with exit code 2 and a message that names the file and the key; an editor shows the message and keeps the
last good settings.

```toml
[tool.mindport]
device = "Ascend"
target-version = "2.10"
ignore = ["MP112"]

[tool.mindport.severity]
MP108 = "information"

[tool.mindport.per-file-ignores]
"tests/**" = ["MP1"]
```

This page is generated from the settings model by `scripts/build_docs.py`.
"""


def settings_schema() -> dict[str, Any]:
    """The JSON schema of the [tool.mindport] table."""
    schema = with_even_descriptions(msgspec.json.schema(Settings))
    definition: dict[str, Any] = schema["$defs"]["Settings"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **definition,
        "title": "mindport",
        "description": "Settings of mindport, the table [tool.mindport] of pyproject.toml.",
    }


def with_even_descriptions(schema: Any) -> Any:
    """A schema whose descriptions have single spaces only: how a docstring is indented depends on the Python
    that wrote it."""
    if isinstance(schema, dict):
        return {
            key: " ".join(value.split())
            if key == "description" and isinstance(value, str)
            else with_even_descriptions(value)
            for key, value in schema.items()
        }
    return [with_even_descriptions(item) for item in schema] if isinstance(schema, list) else schema


def settings_page() -> str:
    """The settings page in markdown: every setting with its explanation, type and default."""
    parts = [PAGE_HEAD]
    schema = settings_schema()
    for field in msgspec.structs.fields(Settings):
        entry = schema["properties"][field.encode_name]
        parts.append(
            f"## {field.encode_name}\n\n{entry['description']}\n\n"
            f"- Type: {_type_words(field.type)}\n- Default: {_default_words(field)}\n"
        )
    return "\n".join(parts)


def _type_words(wanted: Any) -> str:
    plain = typing.get_args(wanted)[0] if typing.get_origin(wanted) is typing.Annotated else wanted
    arguments = typing.get_args(plain)
    origin = typing.get_origin(plain)
    if origin is typing.Literal:
        return " or ".join(f"`{json.dumps(argument)}`" for argument in arguments)
    if origin is tuple:
        return "list of text"
    if origin is dict:
        return f"table: text to {_type_words(arguments[1])}"
    return {str: "text", bool: "`true` or `false`", int: "whole number", float: "number"}[plain]


def _default_words(field: msgspec.structs.FieldInfo) -> str:
    if field.default_factory is not msgspec.NODEFAULT:
        return "`{}`"
    if field.default == DEFAULT_EXCLUDE:
        return ", ".join(f"`{pattern}`" for pattern in DEFAULT_EXCLUDE)
    value = list(field.default) if isinstance(field.default, tuple) else field.default
    return f"`{json.dumps(value)}`"
