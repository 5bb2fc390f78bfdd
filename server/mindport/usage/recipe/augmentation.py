"""Data augmentation by libraries: the random transforms of torchvision and albumentations that the code makes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.usage.api_use import Form
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, SourceFile, dotted, name_of
from mindport.usage.recipe.entry import Entry, Topic
from mindport.usage.recipe.values import Values

# Without chance in them: preparation, not augmentation.
_FIXED = re.compile(
    r"^(Compose|ToTensor|ToTensorV2|ToPILImage|PILToTensor|Normalize|Resize|CenterCrop|Lambda|ToDtype|ToImage|Pad"
    r"|ConvertImageDtype|Grayscale|to_tensor|normalize|resize|pad|crop|center_crop|to_pil_image|OneOf|Sequential|\w+Params"
    r"|InterpolationMode|functional|hflip|vflip|\w*tensor|Transform|LongestMaxSize|PadIfNeeded|SmallestMaxSize)$"
)


def library_transforms(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each kind of transform with its arguments, at its first place."""
    told: set[tuple[str, str]] = set()
    for file in code.files:
        for use, call in file.calls():
            name = use.api.rpartition(".")[2]
            is_transform = use.api.startswith("torchvision.transforms.") and use.form is Form.CALL
            owner = file.class_of(call)
            if owner is not None and not values.is_used(owner):
                continue
            if is_transform and not _FIXED.match(name):
                details = details_of(values, file, use.api, call)
                key = (name, ast.unparse(call))
                if key not in told:
                    told.add(key)
                    yield Entry(Topic.AUGMENTATION, name, file.place(call), details)
        yield from _albumentations(file, values)


def _albumentations(file: SourceFile, values: Values) -> Iterator[Entry]:
    names, members = set(), set()
    for node in file.nodes:
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name for alias in node.names if alias.name == "albumentations"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "albumentations":
            members |= {alias.asname or alias.name for alias in node.names}
    for node in file.nodes:
        if not isinstance(node, ast.Call):
            continue
        owner, _, name = dotted(node.func).rpartition(".")
        if (owner in names or (not owner and name in members)) and not _FIXED.match(name):
            details = tuple(
                values.detail(keyword.arg, file, keyword.value) for keyword in node.keywords if keyword.arg
            )
            yield Entry(
                Topic.AUGMENTATION, f"{name_of(node.func)} of albumentations", file.place(node), details
            )
