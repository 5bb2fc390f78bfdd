"""Where a text calls a member of tensors, as far as a row says so: what stands there."""

from __future__ import annotations

from mindport.usage.project import Project

PATH = "/project/run.py"


def places_of(member: str, text: str, key: str | None = None) -> list[str]:
    """The pieces of a text whose rows call the member; with a `key` those whose first argument it is."""
    project = Project("/project")
    project.add(PATH, text)
    lines = text.splitlines()
    return [
        lines[use.span.line - 1][use.span.column : use.span.end_column]
        for use in project.usage(PATH).uses
        if use.api == f"torch.Tensor.{member}"
        and use.call
        and (key is None or use.call.arguments[0].value == key)
    ]
