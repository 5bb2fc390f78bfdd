"""Writes mappings/_frameworks/mindspore-<version>.json: every public name of the installed MindSpore with its kind,
signatures, documented devices and deprecation, and which functions have a kernel on CPU. Run it with an interpreter
that has any MindSpore, or with `--versions` from any interpreter. Versions older than the newest are stored as what
sets them apart from the next newer one."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import json
import re
import subprocess
import sys
import types
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from framework_facts import class_members, signature_text
from framework_facts.environment import throw_away_environment
from framework_facts.kernels import cpu_kernels, probed_names
from framework_facts.output import write_facts
from framework_facts.versions import collected, difference, read_version, release, write_version

FACTS = Path(__file__).resolve().parent.parent / "mappings" / "_frameworks"

# Below `mindspore`; a version that lacks some of them goes without.
_PATHS = """
. .amp .boost .common .common.initializer .common.parameter .communication .communication.comm_func
.communication.management .context .dataset .dataset.audio .dataset.text .dataset.transforms .dataset.vision
.dataset.engine .device_context .device_context.ascend .device_context.cpu .device_context.gpu .dtype
.experimental .experimental.optim .experimental.optim.lr_scheduler .hal .mindrecord .mint .mint.distributed
.mint.linalg .mint.nn .mint.nn.functional .mint.nn.init .mint.optim .mint.special .multiprocessing .nn
.nn.learning_rate_schedule .nn.dynamic_lr .nn.optim .nn.utils .nn.probability .nn.probability.distribution
.nn.probability.bijector .numpy .onnx .ops .ops.functional .ops.operations .ops.primitive .parallel
.parallel.nn .parallel.auto_parallel .parallel.shard .profiler .rewrite .runtime .scipy .scipy.linalg
.scipy.optimize .scipy.fft .train .train.callback .train.metrics .train.serialization .utils .version
"""
MODULES = [("mindspore" + path).rstrip(".") for path in _PATHS.split()]

PLATFORMS = re.compile(r"Supported Platforms:\s*\n\s*(?P<devices>.*)")
REFERENCE = re.compile(
    r"(?:[Rr]efer to|In-?place version of|[Aa]lias (?:for|of)|[Ss]ee)\s+(?:details in\s+)?"
    r":(?:func|class|meth):`~?(?P<name>mindspore\.[\w.]+)`"
)
DEPRECATED = re.compile(r"(?:\bis|\bare|been)\s+deprecated|\.\. deprecated|will be deprecated")
SINCE = re.compile(r"deprecated\s+(?:from|since|in)\s+(?:version\s+|r)?(\d+\.\d+(?:\.\d+)?)")
REMOVAL = re.compile(r"removed\s+(?:after|from|in)\s+(?:version\s+|r)?(\d+\.\d+(?:\.\d+)?)")
INSTEAD = re.compile(
    r"(?:[Uu]se|replaced by|favou?r of|switch to)\s+(?:the\s+)?(?::\w+:)?`+~?"
    r"(?P<name>mindspore\.[\w.]+|[\w.]+)"
)


class Collector:
    """Describes the names of each listed module, each where it is documented."""

    def __init__(self) -> None:
        import mindspore

        self.mindspore = mindspore
        self.names: dict[str, dict[str, Any]] = {}
        self.classes: dict[str, list[str]] = {}
        self.class_home: dict[type, str] = {}

    def run(self) -> dict[str, Any]:
        """The sections of the facts file."""
        found: list[tuple[str, Any]] = []
        for path in MODULES:
            try:
                module = importlib.import_module(path)
            except ImportError as error:
                print(f"left out {path}: {error}", file=sys.stderr)
                continue
            self.names[path] = {"kind": "module"}
            found += [(f"{path}.{name}", value) for name, value in self.public(module)]
        for full, value in sorted(found, key=lambda item: (item[0].count("."), item[0])):
            if inspect.isclass(value):
                self.class_home.setdefault(value, full)
        for full, value in found:
            self.describe(full, value)
        return {
            "framework": "mindspore",
            "version": self.mindspore.__version__,
            "names": self.names,
            "classes": self.classes,
        }

    def public(self, module: types.ModuleType) -> list[tuple[str, Any]]:
        """The names a module offers: what it exports, and what is defined below it."""
        exported = set(getattr(module, "__all__", ()))
        found = []
        for name in sorted({*vars(module), *exported}):
            value = getattr(module, name, self)
            if (name.startswith("_") and name != "__version__") or isinstance(value, types.ModuleType):
                continue
            if value is self:  # exported by mistake: nothing there
                continue
            owner = str(getattr(value, "__module__", "") or "")
            is_code = inspect.isclass(value) or inspect.isroutine(value)
            below = owner.startswith(module.__name__) if is_code else not callable(value) and name in exported
            # some lists of exports forget names that the documentation has
            forgotten = (
                module.__name__.startswith(("mindspore.mint", "mindspore.numpy")) or module is self.mindspore
            )
            below = below or (
                forgotten
                and is_code
                and owner.startswith(("mindspore.ops.", "mindspore.mint.", "mindspore.nn."))
            )
            plain = module is self.mindspore and self.is_value(value)
            if name in exported or (below and (forgotten or not exported)) or plain:
                found.append((name, value))
        return found

    def is_value(self, value: Any) -> bool:
        """Whether it is a dtype or another plain constant."""
        return isinstance(value, (str, int, float)) or "mindspore._c_expression" in type(value).__module__

    def describe(self, full: str, value: Any) -> None:
        """The entry of one name, and of its members if it is a class."""
        entry: dict[str, Any] = {"kind": self.kind(value)}
        if inspect.isclass(value) or (callable(value) and not self.is_value(value)):
            entry.update(self.callable_facts(full, value, drop=False))
        self.names[full] = entry
        if inspect.isclass(value) and self.class_home.get(value) == full:
            self.describe_members(full, value)
        elif inspect.isclass(value):
            entry["same_object"] = self.class_home[value]

    def kind(self, value: Any) -> str:
        """The word for what the object is."""
        if inspect.isclass(value):
            nn, ops = self.mindspore.nn, self.mindspore.ops
            experimental = sys.modules.get("mindspore.experimental.optim")
            roots = [
                (getattr(nn, "Optimizer", None), "optimizer_class"),
                (getattr(experimental, "Optimizer", None), "optimizer_class"),
                (nn.Cell, "cell_class"),
                (ops.Primitive, "primitive_class"),
                (self.mindspore.Tensor, "tensor_class"),
            ]
            return next((kind for root, kind in roots if root in value.__mro__), "class")
        if "dtype" in str(type(value)).lower() or "typing" in type(value).__module__:
            return "dtype"
        return "function" if callable(value) else "constant"

    def callable_facts(self, full: str, value: Any, *, drop: bool) -> dict[str, Any]:
        """Signatures, devices and deprecation of something that can be called."""
        own = value.__dict__.get("__doc__") if inspect.isclass(value) else getattr(value, "__doc__", None)
        text = inspect.cleandoc(own) if isinstance(own, str) else ""
        facts: dict[str, Any] = {
            "signatures": self.signatures(full.rpartition(".")[2], value, text, drop=drop)
        }
        devices = sorted(
            {device for line in PLATFORMS.findall(text) for device in re.findall(r"``(\w+)``", line)}
        )
        if devices:
            facts["devices"] = devices
        elif "deprecated" in "".join(PLATFORMS.findall(text)).lower():
            facts["deprecated"] = {}
        reference = REFERENCE.search(text[:1500])
        if reference and reference["name"].rstrip(".") != full:
            facts["see"] = reference["name"].rstrip(".")
        head = text.partition("Supported Platforms")[0].partition("Args:")[0]
        found = DEPRECATED.search(head)
        if found:
            # the sentence around the word, not the whole page: it may speak of one argument elsewhere
            sentence = head[max(0, found.start() - 160) : found.end() + 240]
            subject = head[max(0, found.start() - 60) : found.start()]
            if not re.search(r"[Pp]arameter|[Aa]rgument|overload|`\w+`\s*$", subject):
                facts["deprecated"] = {
                    key: match[1].rstrip(".")
                    for key, pattern in (("since", SINCE), ("removal", REMOVAL), ("instead", INSTEAD))
                    if (match := pattern.search(sentence))
                }
        return facts

    def signatures(self, name: str, value: Any, text: str, *, drop: bool) -> list[str]:
        """The overloads, from the docstring where the code says only `*args, **kwargs`."""
        line = None
        with contextlib.suppress(ValueError, TypeError):
            line = signature_text.of_inspected(inspect.signature(value), drop_first=drop)
        if line is not None and inspect.isclass(value):
            line = line.rpartition(" -> ")[0] or line
        documented = signature_text.of_docstring(name, text) + documented_overloads(name, text)
        if line is None or line.startswith("(*args") or len(documented) > 1:
            lines = list(dict.fromkeys(documented)) or ([line] if line else [])
        else:
            lines = [line]
        return [line for line in lines if signature_text.is_signature(line)]

    def describe_members(self, full: str, cls: type) -> None:
        """Own members, and those of bases that have no public name."""
        public_bases = [base for base in cls.__mro__[1:] if base in self.class_home]
        direct = [
            base for base in public_bases if not any(base in other.__mro__[1:] for other in public_bases)
        ]
        hidden = [
            base
            for base in cls.__mro__[1:]
            if base not in public_bases
            and "mindspore" in str(base.__module__)
            and not any(base in other.__mro__ for other in public_bases)
        ]
        self.classes[full] = [self.class_home[base] for base in direct]
        for owner in (cls, *hidden):
            for name, value in sorted(vars(owner).items()):
                if class_members.is_member(name) and f"{full}.{name}" not in self.names:
                    self.describe_member(f"{full}.{name}", value)
        if not issubclass(cls, (self.mindspore.nn.Cell, self.mindspore.Tensor)):
            return
        for owner in (cls, *hidden):
            for name in sorted(filter(class_members.is_member, class_members.instance_attributes(owner))):
                self.names.setdefault(f"{full}.{name}", {"kind": "instance_attribute"})

    def describe_member(self, full: str, value: Any) -> None:
        """The entry of one member."""
        kind = class_members.kind_of_member(value)
        entry: dict[str, Any] = {"kind": kind}
        if kind == "method":
            plain = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            entry.update(self.callable_facts(full, plain, drop=not isinstance(value, staticmethod)))
        elif isinstance(value.__doc__, str) and kind == "attribute":
            devices = [
                device
                for line in PLATFORMS.findall(value.__doc__)
                for device in re.findall(r"``(\w+)``", line)
            ]
            if devices:
                entry["devices"] = sorted(set(devices))
        if kind != "class":
            self.names[full] = entry


def documented_overloads(name: str, text: str) -> list[str]:
    """The signatures that directives inside a docstring give: `.. method:: Tensor.max(dim)`."""
    found: list[str] = []
    for match in re.finditer(r"^\s*\.\. (?:py:)?(?:function|method)::\s*(?P<line>.+)$", text, re.MULTILINE):
        found += signature_text.of_docstring(name, match["line"])
    return found


def collect_elsewhere(versions: list[str], keep: Path | None) -> None:
    """Describe other versions, each in an environment of its own, newest first: each is stored as what sets it apart
    from the next newer one."""
    for version in sorted(versions, key=release, reverse=True):
        folder = keep / f"mindspore-{version}" if keep else None
        with throw_away_environment([f"mindspore=={version}"], folder) as interpreter:
            path = collect_with(interpreter)
        print(f"{path.name}: {path.stat().st_size // 1000} kB")


def collect_builds(builds: list[str], keep: Path | None) -> None:
    """Describe nightly builds of releases that cannot be installed any more: names, signatures and what is documented;
    nothing is called. Each is stored as what sets it apart from the oldest release."""
    oldest = next(iter(collected(FACTS, "mindspore")))
    for build in builds:
        folder = keep / f"mindspore-{build}" if keep else None
        packages = [f"mindspore-dev=={build}"]
        with throw_away_environment(packages, folder) as interpreter, TemporaryDirectory() as work:
            output = Path(work) / "facts.json"
            subprocess.run([interpreter, __file__, "--output", output, "--every", "0"], check=True, cwd=work)
            facts = json.loads(output.read_text(encoding="utf-8"))
        release_after = read_version(FACTS, "mindspore", oldest)
        # What has no kernel there had none before.
        facts |= {
            "version": build,
            "cpu": {name: ran for name, ran in release_after["cpu"].items() if not ran},
        }
        path = FACTS / "builds" / f"mindspore-{build}.json"
        write_facts(path, difference(facts, release_after))
        print(f"{path.name}: {path.stat().st_size // 1000} kB")


def collect_with(interpreter: Path) -> Path:
    """Store what another interpreter's MindSpore offers; the file of its version."""
    with TemporaryDirectory() as work:
        output = Path(work) / "facts.json"
        subprocess.run([interpreter, __file__, "--output", output], check=True, cwd=work)
        return write_version(FACTS, json.loads(output.read_text(encoding="utf-8")))


def main() -> int:
    """Collect and write; prints what was left out on stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output", type=Path, help="file for the facts of this interpreter's MindSpore, in full"
    )
    parser.add_argument(
        "--versions",
        nargs="+",
        default=[],
        metavar="VERSION",
        help="collect these in throw-away environments",
    )
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the environments there and use them next time"
    )
    parser.add_argument(
        "--every",
        type=int,
        default=1,
        metavar="N",
        help="call only every Nth function to see whether it runs (0: none)",
    )
    parser.add_argument(
        "--builds",
        nargs="+",
        default=[],
        metavar="BUILD",
        help="collect nightly builds in throw-away environments, such as 2.5.0.dev20250202",
    )
    options = parser.parse_args()
    if options.versions:
        collect_elsewhere(options.versions, options.keep)
        return 0
    if options.builds:
        collect_builds(options.builds, options.keep)
        return 0
    warnings.simplefilter("ignore")
    sections = Collector().run()
    names = sections["names"]
    probed = probed_names(names)[:: options.every] if options.every else []
    sections["cpu"] = cpu_kernels(Path(sys.executable), names, probed)
    if options.output:
        write_facts(options.output, sections)
    else:
        write_version(FACTS, sections)
    counts = ", ".join(f"{len(sections[part])} {part}" for part in ("names", "classes", "cpu"))
    print(f"MindSpore {sections['version']}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
