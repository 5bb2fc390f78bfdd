"""Writes mappings/_frameworks/torchvision-<version>.json: the public functions and classes of the installed torchvision
with their signatures. Run it with an interpreter that has torch and torchvision; the native library is not needed."""

from __future__ import annotations

import argparse
import enum
import importlib
import inspect
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server")]

from framework_facts import signature_text  # noqa: E402  after the path is set
from framework_facts.held_modules import held_modules  # noqa: E402
from framework_facts.output import write_facts  # noqa: E402
from framework_facts.torch_modules import module_names  # noqa: E402
from mindport.probes.oracle.torchvision_import import import_torchvision  # noqa: E402
from mindport.registry.torch import torch_facts  # noqa: E402

# What is private by name, or in a module that is, but used by real code.
PRIVATE = ("torchvision._is_tracing", "torchvision.models._utils.IntermediateLayerGetter")
# Functions of torch that code still calls by the place where torchvision once had its own.
MOVED = {"torchvision.ops.misc.interpolate": "torch.nn.functional.interpolate"}


class EnumMember:
    """The default value of a parameter, written as code names it."""

    def __init__(self, value: enum.Enum) -> None:
        self.text = f"{type(value).__module__}.{type(value).__qualname__}.{value.name}"

    def __repr__(self) -> str:
        return self.text


def as_written(signature: inspect.Signature, takes_images: bool) -> inspect.Signature:
    """The signature with enum members as defaults that print as they are written. Functions that `takes_images` say
    Tensor, because TorchScript knows nothing else, and take PIL images as well: there it says nothing."""
    parameters = [
        one.replace(
            default=EnumMember(one.default) if isinstance(one.default, enum.Enum) else one.default,
            annotation=one.empty if takes_images and is_tensor(one.annotation) else one.annotation,
        )
        for one in signature.parameters.values()
    ]
    result = signature.return_annotation
    return signature.replace(
        parameters=parameters, return_annotation=inspect.Signature.empty if takes_images else result
    )


def is_tensor(annotation: Any) -> bool:
    """Whether the annotation is torch.Tensor, as an object or as text."""
    return annotation in ("Tensor", "torch.Tensor") or getattr(annotation, "__name__", "") == "Tensor"


class Collector:
    """Walks the modules once and keeps what it found by name."""

    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.module_class = torch.nn.Module
        self.package = import_torchvision()
        self.modules: dict[str, types.ModuleType] = {}
        self.places: dict[int, list[str]] = {}
        self.objects: dict[int, Any] = {}

    def run(self) -> dict[str, Any]:
        """The sections of the facts file."""
        root = self.package.__name__
        for name in [root, *module_names(Path(self.package.__file__).parent, root)]:
            try:
                self.modules[name] = importlib.import_module(name)
            except (ImportError, OSError) as error:
                print(f"left out {name}: {type(error).__name__}: {error}", file=sys.stderr)
        hidden = {place.rpartition(".")[0] for place in PRIVATE} - self.modules.keys()
        searched = self.modules | {name: importlib.import_module(name) for name in hidden}
        for path, module in sorted(searched.items()):
            for name, value in sorted(vars(module).items()):
                is_public = path not in hidden and not name.startswith("_")
                is_known = is_public or f"{path}.{name}" in PRIVATE
                if is_known and self.is_ours(value):
                    self.objects[id(value)] = value
                    self.places.setdefault(id(value), []).append(f"{path}.{name}")
        homes = {
            identity: self.home(self.objects[identity], found) for identity, found in self.places.items()
        }
        names: dict[str, Any] = {name: {"kind": "module"} for name in searched}
        aliases: dict[str, str] = {}
        classes: dict[str, list[str]] = {}
        for identity, home in homes.items():
            if home is None:
                continue
            value = self.objects[identity]
            names[home] = {"kind": self.kind(value), "signatures": self.signatures(value)}
            aliases.update({place: home for place in self.places[identity] if place != home})
            if inspect.isclass(value):
                classes[home] = self.bases(value, homes)
                names.update(
                    {f"{home}.{name}": {"kind": "attribute", "type": ""} for name in self.choices(value)}
                )
        aliases.update(MOVED)
        version = self.package.__version__.partition("+")[0]
        names[f"{root}.__version__"] = {"kind": "constant", "type": "str"}
        return {
            "framework": root,
            "version": version,
            "names": names,
            "aliases": aliases,
            "classes": classes,
            "named_tuples": {},
            "held_modules": held_modules(self.networks(), lambda cls: self.name_of_class(cls, homes)),
        }

    def networks(self) -> Iterator[Any]:
        """Every network of torchvision.models, without memory for its weights."""
        models = self.package.models
        for name in models.list_models():
            weights = {
                parameter: None
                for parameter in inspect.signature(models.get_model_builder(name)).parameters
                if parameter.startswith("weights")
            }
            try:
                with self.torch.device("meta"):
                    yield models.get_model(name, **weights)
            except NotImplementedError:  # it reads what it has just made
                yield models.get_model(name, **weights)

    def name_of_class(self, value: type, homes: dict[int, str | None]) -> str | None:
        """The public name of a class, here or in torch."""
        return homes.get(id(value)) or torch_facts().canonical(f"{value.__module__}.{value.__qualname__}")

    def is_ours(self, value: Any) -> bool:
        """Whether the object is a function or class of torchvision, rather than something it imported."""
        is_described = inspect.isclass(value) or inspect.isroutine(value)
        owner = str(getattr(value, "__module__", None) or "")
        return is_described and owner.partition(".")[0] == self.package.__name__

    def home(self, value: Any, places: list[str]) -> str | None:
        """The name under which code is meant to use the object: offered, and nearest the root. None if it is offered
        nowhere."""
        offered = [place for place in places if self.is_offered(value, place)]
        own = getattr(value, "__name__", "")
        return min(offered, key=lambda p: (p.count("."), p.rpartition(".")[2] != own, p), default=None)

    def is_offered(self, value: Any, place: str) -> bool:
        """Whether the module means to hand the name on: it lists or defines it, or is a package that gathers names."""
        path, _, name = place.rpartition(".")
        if place in PRIVATE:
            return True
        module = self.modules[path]
        exported = getattr(module, "__all__", None)
        if value.__module__ == path or (exported is not None and name in exported):
            return True
        return exported is None and hasattr(module, "__path__")

    def kind(self, value: Any) -> str:
        """The word for what the object is."""
        if not inspect.isclass(value):
            return "function"
        return "module_class" if issubclass(value, self.module_class) else "class"

    def choices(self, value: type) -> list[str]:
        """The members of an enumeration; trained weights are judged as a whole."""
        is_choice = issubclass(value, enum.Enum) and not issubclass(value, self.package.models.WeightsEnum)
        return list(value.__members__) if is_choice else []

    def signatures(self, value: Any) -> list[str]:
        """How it is called, as one line; empty where Python does not know."""
        try:
            takes_images = value.__module__.startswith("torchvision.transforms")
            line = signature_text.of_inspected(as_written(inspect.signature(value), takes_images))
        except (ValueError, TypeError):
            return []
        line = line.rpartition(" -> ")[0] if inspect.isclass(value) and " -> " in line else line
        return [line] if signature_text.is_signature(line) else []

    def bases(self, value: type, homes: dict[int, str | None]) -> list[str]:
        """The nearest bases that have a name, here or in torch."""
        found: list[str] = []
        for base in value.__bases__:
            home = self.name_of_class(base, homes)
            found += [home] if home else self.bases(base, homes) if base is not object else []
        return list(dict.fromkeys(found))


def main() -> int:
    """Collect and write; prints what was left out on stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output", type=Path, help="file to write (default: mappings/_frameworks/torchvision-VERSION.json)"
    )
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sections = Collector().run()
    output = options.output or ROOT / "mappings" / "_frameworks" / f"torchvision-{sections['version']}.json"
    write_facts(output, sections)
    counts = ", ".join(f"{len(sections[part])} {part}" for part in ("names", "aliases", "classes"))
    print(f"{output.name}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
