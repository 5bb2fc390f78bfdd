"""Writes mappings/_frameworks/torch-<version>.json: every public name of the installed torch with its kind,
its signatures and its members, and which of the names need a verdict. Run it with an interpreter that has torch."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import inspect
import io
import re
import sys
import types
import warnings
from pathlib import Path
from typing import Any

from framework_facts import class_members, signature_text
from framework_facts.documented_signatures import DOCUMENTED_SIGNATURES, PASSED_ON
from framework_facts.held_modules import held_modules
from framework_facts.output import write_facts
from framework_facts.torch_core import CoreNames
from framework_facts.torch_modules import MissingPackages, module_names
from framework_facts.torch_removed import removed_names
from framework_facts.torch_signatures import TorchSignatures, with_documented_result

ROOT = Path(__file__).resolve().parent.parent

# Modules that are private by name but that real code refers to.
PRIVATE_MODULES = (
    "torch._dynamo",
    "torch._utils",
    "torch.utils._pytree",
    "torch.utils.data._utils",
    "torch.utils.data._utils.collate",
    "torch._inductor",
    "torch._six",
    "torch.nn._reduction",
)
# Values that are private by name but that real code asks for.
PRIVATE_VALUES = ("torch.cuda._initialized",)
# In these an alias keeps its own name, because the documentation gives both a page of their own.
OWN_NAMESPACES = ("torch", "torch.nn.functional", "torch.special", "torch.linalg", "torch.fft")
WITH_PRIVATE_MEMBERS = ("torch.Tensor", "torch.nn.Module", "torch.optim.Optimizer")
ALIAS_TEXT = re.compile(
    r"^\s*Alias (?:for|of) :(?:func|meth|class):`~?\.?(?:Tensor\.)?([\w.]+)", re.MULTILINE
)
DEPRECATED_TEXT = re.compile(r"\.\. deprecated::|\bis deprecated\b", re.IGNORECASE)
INSTEAD_TEXT = re.compile(
    r"(?:use|favor of|replaced by|see)\s+:?(?:func|class|meth)?:?`+~?([\w.]+)", re.IGNORECASE
)


class Collector:
    """Walks the modules once and keeps what it found by name."""

    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.folder = Path(torch.__file__).parent
        self.reader = TorchSignatures(torch)
        self.modules: dict[str, types.ModuleType] = {}
        self.places: dict[int, list[tuple[str, str]]] = {}  # id -> (module, name)
        self.objects: dict[int, Any] = {}
        self.constants: dict[str, Any] = {}
        self.names: dict[str, dict[str, Any]] = {}
        self.aliases: dict[str, str] = {}
        self.classes: dict[str, list[str]] = {}  # name -> its nearest bases that have a public name
        self.home: dict[int, str] = {}

    def run(self) -> dict[str, Any]:
        """The sections of the facts file."""
        self.import_modules()
        for path, module in sorted(self.modules.items()):
            self.scan_module(path, module)
        self.choose_homes()
        for identity, home in sorted(self.home.items(), key=lambda item: item[1]):
            self.describe(home, self.objects[identity])
        for name, value in self.constants.items():
            self.names.setdefault(name, {"kind": "constant", "type": type(value).__name__})
        self.module_properties()
        for name, entry in self.names.items():
            if "signatures" in entry:
                lines = [line for line in entry["signatures"] if signature_text.is_signature(line)]
                entry["signatures"] = [with_documented_result(name, line) for line in lines]
        return {
            "framework": "torch",
            "version": self.torch.__version__.partition("+")[0],
            "names": self.names,
            "aliases": self.aliases,
            "classes": self.classes,
            "named_tuples": self.named_tuples(),
            "removed": removed_names(self.names),
            "held_modules": held_modules(self.networks(), self.name_of_class),
            "core": CoreNames(self.modules, self.names, self.aliases, self.classes).grouped(),
        }

    def networks(self) -> list[Any]:
        """An instance of every class of torch.nn that is made of other modules."""
        nn = self.torch.nn
        encoder, decoder = nn.TransformerEncoderLayer(4, 2), nn.TransformerDecoderLayer(4, 2)
        return [
            *(encoder, decoder, nn.TransformerEncoder(encoder, 1), nn.TransformerDecoder(decoder, 1)),
            *(
                nn.Transformer(4, 2, 1, 1),
                nn.MultiheadAttention(4, 2),
                nn.AdaptiveLogSoftmaxWithLoss(4, 4, [2]),
            ),
        ]

    def name_of_class(self, value: type) -> str | None:
        """The public name of a class of torch."""
        path = f"{value.__module__}.{value.__qualname__}"
        name = self.aliases.get(path, path)
        return name if name in self.classes else None

    def import_modules(self) -> None:
        """Import every public module; those that need another platform are left out."""
        for name in ["torch", *module_names(self.folder, "torch"), *PRIVATE_MODULES]:
            try:
                module = importlib.import_module(name)
            except (ImportError, AttributeError, OSError, RuntimeError, AssertionError) as error:
                print(f"left out {name}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            self.modules[name] = module

    def scan_module(self, path: str, module: types.ModuleType) -> None:
        """Note where each object of torch is reachable."""
        exported = set(getattr(module, "__all__", ()))
        inner = vars(module).get("m")  # torch.backends.* are objects around their module
        names = {*vars(module), *(vars(inner) if isinstance(inner, types.ModuleType) else ()), *exported}
        if path == "torch.multiprocessing":
            names |= set(importlib.import_module("multiprocessing").__all__)
        for name in sorted(names):
            value = getattr(module, name, self)
            if value is self or (name.startswith("__") and name != "__version__"):
                continue
            full = f"{path}.{name}"
            if isinstance(value, types.ModuleType):
                if value.__name__ in self.modules and value.__name__ != full:
                    self.note(value, path, name)
                continue
            if (
                name.startswith("_")
                and full not in PRIVATE_VALUES
                and not self.is_known_private(path, name, value)
            ):
                continue
            if full in PRIVATE_VALUES or self.is_constant(path, name, value, exported):
                self.constants[full] = value
            elif self.is_ours(value):
                self.note(value, path, name)
            elif (
                path == "torch.multiprocessing"
                and callable(value)
                and hasattr(sys.modules["multiprocessing"], name)
            ):
                self.names[full] = {
                    "kind": "class" if inspect.isclass(value) else "function",
                    "signatures": self.reader.fallback(value),
                }

    def is_known_private(self, path: str, name: str, value: Any) -> bool:
        """Private names are listed where they are defined, not where they are imported."""
        if name == "__version__":
            return path == "torch"
        if path == "torch" and name.startswith(
            ("_foreach", "_assert", "_check", "_fused", "_scaled", "_weight_norm", "_shape_as")
        ):
            return True
        owner = str(getattr(value, "__module__", None) or "")
        if not (inspect.isclass(value) or inspect.isfunction(value)):
            return False
        return owner == path or (
            owner.startswith("torch") and self.is_private_name(owner) and path.count(".") == 1
        )

    def is_constant(self, path: str, name: str, value: Any, exported: set[str]) -> bool:
        """Plain values: numbers, strings, the types' singletons."""
        torch = self.torch
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format, torch.qscheme)):
            return False
        if inspect.isclass(value) or inspect.isroutine(value) or isinstance(value, types.ModuleType):
            return False
        if isinstance(value, (bool, int, float, str)) and path in (
            "torch",
            "torch.version",
            "torch.backends.cudnn",
        ):
            return name not in ("TYPE_CHECKING",)
        return name in exported or (path == "torch" and isinstance(value, (torch.Generator, type(None))))

    def is_ours(self, value: Any) -> bool:
        """Whether the object belongs to torch rather than to something torch imported."""
        torch = self.torch
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format, torch.qscheme)):
            return True
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            return False
        owner = getattr(value, "__module__", None)
        if owner is None:
            return (
                "torch" in repr(getattr(value, "__self__", ""))
                or "torch" in repr(value)
                or (type(value) is types.BuiltinFunctionType and getattr(value, "__self__", None) is None)
            )
        return str(owner).partition(".")[0] in ("torch", "functorch")

    def note(self, value: Any, path: str, name: str) -> None:
        """Remember one place of one object."""
        self.objects[id(value)] = value
        self.places.setdefault(id(value), []).append((path, name))

    def is_exported(self, path: str, name: str, value: Any) -> bool:
        """Whether the place is a public one, rather than an import some module needs for itself."""
        exported = getattr(self.modules[path], "__all__", None)
        if exported is not None and name in exported:
            return True
        if path == "torch":
            return True
        owner = str(getattr(value, "__module__", None) or "")
        if path == "torch.nn.functional":
            return owner in (path, "torch._C._nn") or (owner in ("", "torch") and inspect.isbuiltin(value))
        if owner.startswith("torch._C"):
            return exported is None
        return owner == path or (owner.startswith(path + ".") and exported is None)

    def rank(self, place: tuple[str, str], value: Any) -> tuple[Any, ...]:
        """Order of the places of one object: public first, then near the root."""
        path, name = place
        private = any(part.startswith("_") for part in f"{path}.{name}".split("."))
        own_name = getattr(value, "__name__", "") == name or repr(value) == f"{path}.{name}"
        exported = self.is_exported(path, name, value)
        return (
            not exported,
            not exported and not own_name,
            private,
            path.count("."),
            not own_name,
            f"{path}.{name}",
        )

    def choose_homes(self) -> None:
        """Give every object its name; the other places become aliases of it or names of their own."""
        for identity, places in self.places.items():
            value = self.objects[identity]
            if isinstance(value, types.ModuleType):
                for path, name in places:
                    self.aliases[f"{path}.{name}"] = value.__name__
                continue
            best, *others = sorted(set(places), key=lambda place: self.rank(place, value))
            home = f"{best[0]}.{best[1]}"
            self.home[identity] = home
            for path, name in others:
                full = f"{path}.{name}"
                keeps = (
                    path in OWN_NAMESPACES
                    and not inspect.isclass(value)
                    and self.is_exported(path, name, value)
                )
                if keeps and (path != best[0] or name != best[1]) and not isinstance(value, type):
                    self.names[full] = {"kind": self.kind(value), "alias_of": home}
                    if inspect.isroutine(value):
                        self.names[full]["signatures"] = self.reader.signatures(full, value)
                else:
                    self.aliases[full] = home
        for name in self.modules:
            self.names[name] = {"kind": "module"}

    def kind(self, value: Any) -> str:
        """The word for what the object is."""
        torch = self.torch
        if inspect.isclass(value):
            roots = (
                (torch.nn.Module, "module_class"),
                (torch.optim.Optimizer, "optimizer_class"),
                (torch.optim.lr_scheduler.LRScheduler, "scheduler_class"),
                (torch.Tensor, "tensor_class"),
            )
            if type(value).__name__ == "tensortype" or value is torch.autograd.Variable:
                return "tensor_class"
            return next((kind for root, kind in roots if root in value.__mro__), "class")
        singletons = (
            (torch.dtype, "dtype"),
            (torch.layout, "layout"),
            (torch.memory_format, "memory_format"),
        )
        for singleton, kind in singletons:
            if isinstance(value, singleton):
                return kind
        return "function" if inspect.isroutine(value) else "constant"

    def wrapped_initialiser(self, home: str, value: Any) -> Any:
        """The initialiser that an old name of it hands its arguments on to (`kaiming_normal`); else the value."""
        is_old = home.startswith("torch.nn.init.") and hasattr(self.torch.nn.init, f"{value.__name__}_")
        return getattr(self.torch.nn.init, f"{value.__name__}_") if is_old else value

    def describe(self, home: str, value: Any) -> None:
        """Write the entry of one object, and those of its members."""
        entry: dict[str, Any] = {"kind": self.kind(value)}
        if inspect.isclass(value) or inspect.isroutine(value):
            entry["signatures"] = self.reader.signatures(home, self.wrapped_initialiser(home, value))
            self.add_notes(entry, value, home)
        self.names[home] = entry
        if inspect.isclass(value):
            self.describe_members(home, value)

    def add_notes(self, entry: dict[str, Any], value: Any, home: str) -> None:
        """Deprecation, and aliases that only the docstring tells."""
        text = inspect.getdoc(value) if not inspect.isclass(value) else value.__dict__.get("__doc__")
        text = text if isinstance(text, str) else ""
        alias = ALIAS_TEXT.search(text[:400])
        if alias and "alias_of" not in entry:
            target = alias[1] if alias[1].startswith("torch.") else f"{home.rpartition('.')[0]}.{alias[1]}"
            if target != home:
                entry["alias_of"] = target
        message = getattr(value, "__deprecated__", None)
        head = text[:600]
        if isinstance(message, str) or DEPRECATED_TEXT.search(head):
            instead = INSTEAD_TEXT.search(message if isinstance(message, str) else head)
            entry["deprecated"] = instead[1].rstrip(".") if instead else ""

    def describe_members(self, home: str, cls: type) -> None:
        """Own members, and those of bases that have no public name."""
        if type(cls).__name__ == "tensortype" or cls is self.torch.autograd.Variable:
            self.classes[home] = ["torch.Tensor"]
            return
        public_bases = [base for base in cls.__mro__[1:] if self.home.get(id(base), home) != home]
        public_bases = [base for base in public_bases if not self.is_private_name(self.home[id(base)])]
        direct: list[type] = []
        for base in public_bases:
            if not any(base in other.__mro__ for other in direct):
                direct.append(base)
        own = [
            c
            for c in cls.__mro__
            if c is cls
            or (
                c is not object
                and c.__module__ != "builtins"
                and c not in public_bases
                and not any(c in base.__mro__ for base in public_bases)
                and str(c.__module__).partition(".")[0] == "torch"
            )
        ]
        members: dict[str, str] = {}
        for owner in own:
            for name in sorted(vars(owner)):
                if self.is_listed(home, name) and name not in members:
                    self.describe_member(home, owner, name, members)
        for owner in own:
            for name, annotation in sorted(class_members.instance_attributes(owner).items()):
                if self.is_listed(home, name) and name not in members:
                    members[name] = "instance"
                    self.names[f"{home}.{name}"] = {
                        "kind": "instance_attribute",
                        "type": signature_text.tidy_annotation(annotation),
                    }
        self.classes[home] = [self.home[id(base)] for base in direct]

    @staticmethod
    def is_private_name(name: str) -> bool:
        """Whether a part of the dotted name starts with an underscore."""
        return any(part.startswith("_") for part in name.split("."))

    def is_listed(self, home: str, name: str) -> bool:
        """Whether a member has an entry; of the classes that everybody derives from or uses, private ones too."""
        return class_members.is_member(name) or (home in WITH_PRIVATE_MEMBERS and not name.startswith("__"))

    def describe_member(self, home: str, owner: type, name: str, members: dict[str, str]) -> None:
        """The entry of one member that the body of `owner` defines."""
        value = vars(owner)[name]
        kind = class_members.kind_of_member(value)
        stub = self.reader.stub_of(owner)
        if kind == "class":
            return
        members[name] = kind
        entry: dict[str, Any] = {"kind": kind}
        if kind == "method":
            plain = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            drop = not isinstance(value, staticmethod)
            entry["signatures"] = list(
                DOCUMENTED_SIGNATURES.get(f"{home}.{name}")
                or self.reader.method_signatures(owner, name, plain, stub, drop=drop)
            )
            self.add_notes(entry, plain, f"{home}.{name}")
        else:
            annotation = stub.attributes.get(name, "")
            getter = value.wrapped if class_members.is_computed(value) else getattr(value, "fget", None)
            if getter is not None and not annotation:
                line = self.reader.inspected(getter, drop=True) or ""
                annotation = line.rpartition(" -> ")[2] if " -> " in line else ""
            entry["type"] = annotation or self.reader.annotation_in(owner, name)
        self.names[f"{home}.{name}"] = entry

    def module_properties(self) -> None:
        """Settings such as torch.backends.cudnn.benchmark are properties of the module's own class."""
        for path, module in self.modules.items():
            if type(module) is not types.ModuleType and path.startswith("torch.backends"):
                for name in vars(type(module)):
                    if not name.startswith("_") and f"{path}.{name}" not in self.names:
                        self.names[f"{path}.{name}"] = {"kind": "constant", "type": ""}
        for setting in (
            "allow_tf32",
            "allow_fp16_reduced_precision_reduction",
            "allow_bf16_reduced_precision_reduction",
        ):
            self.names[f"torch.backends.cuda.matmul.{setting}"] = {"kind": "constant", "type": "bool"}
        self.names["torch.backends.cuda.matmul"] = {"kind": "constant", "type": ""}
        self.names["torch.ops"] = {"kind": "module"}
        self.names.update(PASSED_ON)

    def named_tuples(self) -> dict[str, list[str]]:
        """The fields of the structures that functions such as torch.max return."""
        found = {}
        for name in dir(self.torch.return_types):
            value = getattr(self.torch.return_types, name)
            if inspect.isclass(value) and issubclass(value, tuple):
                fields = [
                    field
                    for field in dir(value)
                    if type(getattr(value, field)).__name__ == "member_descriptor"
                ]
                found[name] = list(getattr(value, "__match_args__", ())) or fields
        return found


def main() -> int:
    """Collect and write; prints what was left out on stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output", type=Path, help="file to write (default: mappings/_frameworks/torch-VERSION.json)"
    )
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sys.meta_path.append(MissingPackages())
    sys.modules["tqdm"] = None  # type: ignore[assignment]  # the facts are those of a torch without it, everywhere
    with contextlib.redirect_stdout(io.StringIO()):
        sections = Collector().run()
    output = options.output or ROOT / "mappings" / "_frameworks" / f"torch-{sections['version']}.json"
    write_facts(output, sections)
    counts = ", ".join(f"{len(sections[part])} {part}" for part in ("names", "aliases", "classes"))
    print(f"{output.name}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
