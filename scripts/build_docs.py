#!/usr/bin/env python3
"""Writes the pages of docs/ that are generated; `--check` only says whether they are fresh (exit 1 if
not)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "server"))

from framework_facts.release_differences import page as releases_page  # noqa: E402
from framework_facts.upstream_page import page as upstream_page  # noqa: E402
from mindport.config.schema import settings_page, settings_schema, with_even_descriptions  # noqa: E402
from mindport.explain.name_facts import NameFacts, RuleFacts  # noqa: E402
from mindport.report.rows import output_schemas  # noqa: E402
from mindport.report.trial import trial_schema  # noqa: E402
from mindport.usage.seen.trace import Trace  # noqa: E402


def pages() -> dict[str, str]:
    """Every generated file by its path in the repository."""
    explanation = with_even_descriptions(msgspec.json.schema(NameFacts | RuleFacts))
    schemas = {
        "settings": settings_schema(),
        **output_schemas(),
        "explain": explanation,
        "try": trial_schema(),
        "trace": with_even_descriptions(msgspec.json.schema(Trace)),
    }
    section = {"type": "object", "properties": {"mindport": settings_schema()}}
    return {
        "docs/configuration.md": settings_page(),
        "docs/releases.md": releases_page(),
        "docs/upstream/README.md": upstream_page(),
        "docs/editors/lsp4ij/settings.schema.json": json.dumps(section, indent=2) + "\n",
        **{
            f"docs/schemas/{name}.json": json.dumps(schema, indent=2) + "\n"
            for name, schema in schemas.items()
        },
    }


def main(arguments: list[str]) -> int:
    """Write every page that is not fresh, or with `--check` only name them."""
    stale = [name for name, text in pages().items() if _content(name) != text]
    for name in stale:
        if "--check" in arguments:
            print(f"{name} is not fresh: run scripts/build_docs.py")
        else:
            path = REPOSITORY / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(pages()[name], "utf-8")
            print(f"wrote {name}")
    return 1 if stale and "--check" in arguments else 0


def _content(name: str) -> str | None:
    path = REPOSITORY / name
    return path.read_text("utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
