"""Data augmentation by libraries: the random transforms of torchvision, albumentations and the like that the code
makes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.written_names import dotted_text
from mindport.usage.api_use import Form
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, SourceFile
from mindport.usage.recipe.entry import ChecklistTopic, Entry
from mindport.usage.recipe.values import Values

# Modules that hold hardly anything else.
_MODULES = re.compile(r"^(albumentations|imgaug\.augmenters|audiomentations|torch_audiomentations)(\.|$)")

# Without chance in them: preparation, not augmentation.
_FIXED = re.compile(
    r"^(Compose|ToTensor|ToTensorV2|ToPILImage|PILToTensor|Normalize|Resize|CenterCrop|Lambda|ToDtype|ToImage|Pad"
    r"|ConvertImageDtype|Grayscale|to_tensor|normalize|resize|pad|crop|center_crop|to_pil_image|OneOf|Sequential|\w+Params"
    r"|SomeOf|Sometimes|Noop|Identity|PadTo\w+|CenterPad\w+|CenterCropTo\w+|ReplayCompose|Scale"
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
            if owner is not None and not values.mentions.is_used(owner):
                continue
            if is_transform and not _FIXED.match(name):
                details = details_of(values, file, use.api, call)
                key = (name, ast.unparse(call))
                if key not in told:
                    told.add(key)
                    yield Entry(ChecklistTopic.AUGMENTATION, name, file.place(call), details)
        yield from _of_libraries(file, values)


def _of_libraries(file: SourceFile, values: Values) -> Iterator[Entry]:
    """One entry for each random transform that a file makes of another library."""
    modules: dict[str, str] = {}  # as this file calls it -> library
    members: dict[str, str] = {}
    for node in file.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _MODULES.match(alias.name):
                    modules[alias.asname or alias.name] = alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if _MODULES.match(f"{node.module}.{alias.name}"):
                    found = modules if alias.name.islower() else members
                    found[alias.asname or alias.name] = node.module.partition(".")[0]
    for node in file.nodes:
        if not isinstance(node, ast.Call):
            continue
        owner, _, name = dotted_text(node.func).rpartition(".")
        library = modules.get(owner, "") if owner else members.get(name, "")
        if library and name[:1].isupper() and not _FIXED.match(name):
            details = [values.detail("argument", file, one) for one in node.args]
            details += [values.detail(one.arg, file, one.value) for one in node.keywords if one.arg]
            yield Entry(ChecklistTopic.AUGMENTATION, f"{name} of {library}", file.place(node), tuple(details))
