"""The torch names of a mapping file, flattened, with the form each is listed under."""

from __future__ import annotations

from mindport.mapping.schema import CatalogueNames, Forms

FORMS: tuple[Forms, ...] = ("function", "method", "module", "attribute", "class", "value")


def listed_names(names: CatalogueNames) -> tuple[tuple[str, Forms], ...]:
    """Every name with its form, in the order of the file."""
    found: list[tuple[str, Forms]] = []
    for form in FORMS:
        value = getattr(names, "class_" if form == "class" else form)
        found += [(name, form) for name in ((value,) if isinstance(value, str) else value)]
    return tuple(found)
