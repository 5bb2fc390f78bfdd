"""Which names of torch need a verdict: the public names of the namespaces that model code uses."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterable, Mapping
from typing import Any

_MODULES = """
torch torch.nn torch.nn.functional torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.nn.utils.parametrize
torch.nn.utils.parametrizations torch.nn.utils.prune torch.nn.utils.stateless torch.nn.parameter torch.nn.parallel
torch.nn.attention torch.optim torch.optim.lr_scheduler torch.optim.swa_utils torch.autograd
torch.autograd.functional torch.autograd.forward_ad torch.autograd.graph torch.autograd.profiler torch.func
torch.linalg torch.fft torch.special torch.sparse torch.signal.windows torch.masked torch.nested
torch.distributions torch.distributions.constraints torch.distributions.transforms torch.distributions.kl
torch.random torch.cuda torch.cuda.amp torch.cuda.comm torch.cuda.nvtx torch.amp torch.accelerator torch.cpu
torch.utils torch.utils.data torch.utils.data.distributed torch.utils.checkpoint torch.utils.tensorboard
torch.utils.dlpack torch.utils.hooks torch.utils.cpp_extension torch.utils.model_zoo torch.utils.deterministic
torch.distributed torch.distributed.fsdp torch.distributed.checkpoint torch.distributed.checkpoint.state_dict
torch.distributed.rpc torch.distributed.device_mesh torch.distributed.optim torch.distributed.algorithms
torch.jit torch.compiler torch.onnx torch.export torch.fx torch.hub torch.backends torch.backends.cpu
torch.backends.cuda torch.backends.cudnn torch.backends.mkl torch.backends.mkldnn torch.backends.mps
torch.backends.openmp torch.backends.opt_einsum torch.profiler torch.multiprocessing torch.library torch.overrides
torch.serialization torch.package torch.return_types torch.version
"""
CORE_MODULES = frozenset(_MODULES.split())
"""Modules whose public names need a verdict. Quantization, mobile and the devices of other vendors are left out."""

_CLASSES = """
torch.Tensor torch.Generator torch.Size torch.device torch.dtype torch.finfo torch.iinfo
torch.nn.Module torch.nn.Sequential torch.nn.ModuleList torch.nn.ModuleDict torch.nn.ParameterList
torch.nn.ParameterDict torch.nn.Embedding torch.nn.EmbeddingBag torch.nn.MultiheadAttention torch.nn.Transformer
torch.nn.SyncBatchNorm torch.nn.AdaptiveLogSoftmaxWithLoss torch.nn.parallel.DistributedDataParallel
torch.nn.utils.rnn.PackedSequence torch.optim.Optimizer torch.optim.lr_scheduler.LRScheduler
torch.optim.swa_utils.AveragedModel torch.autograd.Function torch.autograd.profiler.profile torch.GradScaler
torch.distributions.Distribution torch.distributions.Transform torch.distributions.constraints.Constraint
torch.cuda.Stream torch.cuda.Event torch.cuda.CUDAGraph torch.utils.data.DataLoader
torch.utils.data.DistributedSampler torch.utils.tensorboard.SummaryWriter torch.utils.hooks.RemovableHandle
torch.distributed.fsdp.FullyShardedDataParallel torch.distributed.Store torch.distributed.Work
torch.distributed.DeviceMesh torch.jit.ScriptModule torch.jit.ScriptFunction torch.profiler.profile
"""
CORE_CLASSES = frozenset(_CLASSES.split())
"""Classes that model code holds instances of, so that what they introduce needs a verdict too; every
`Distribution` counts as well."""

_DISTRIBUTION = "torch.distributions.Distribution"
# What instances of these hold is part of how they are used.
_OPEN_INSTANCES = (
    "torch.nn.Module",
    "torch.optim.Optimizer",
    "torch.optim.lr_scheduler.LRScheduler",
    "torch.utils.data.DataLoader",
)
_CALLED_BY_TORCH = frozenset(("forward", "extra_repr", "reset_parameters"))
_SINGLETONS = frozenset(("dtype", "layout", "memory_format"))
_PLAIN_TYPES = frozenset(("bool", "int", "float", "str", "NoneType", "Generator"))
_PLAIN_VALUES = (bool, int, float, str, tuple, types.NoneType)
# What every distribution, transform and constraint tells of itself, without a text of its own.
_WITH_PLAIN_ATTRIBUTES = "torch.distributions."
# The code generator binds these for its own use.
_KERNELS_OF_LIBRARIES = ("cudnn_", "miopen_", "mkldnn_", "fbgemm_")
_BINDING_TEXT = re.compile(r"\A\s*(\w+\(.*\) -> .*\s*\Z|Members:)")
_TYPING = re.compile(r"Alias|Union|TypeVar")


class CoreNames:
    """Decides which of the collected names need a verdict."""

    def __init__(
        self,
        modules: Mapping[str, types.ModuleType],
        names: Mapping[str, Mapping[str, Any]],
        aliases: Mapping[str, str],
        classes: Mapping[str, Iterable[str]],
    ) -> None:
        self.modules = modules
        self.names = names
        self.aliases = aliases
        self.classes = classes

    def grouped(self) -> dict[str, list[str]]:
        """Module or class -> the simple names below it that need a verdict. What is reachable in two places, and
        what a class only overrides, stands once: where it has its name."""
        grouped: dict[str, list[str]] = {}
        for full in sorted({*self._of_modules(), *self._of_classes()}):
            owner, _, name = full.rpartition(".")
            grouped.setdefault(owner, []).append(name)
        return grouped

    def _of_modules(self) -> Iterable[str]:
        constants: set[int] = set()
        for path in sorted(CORE_MODULES, key=lambda path: (path.count("."), path)):
            module = self.modules[path]
            for name in {*vars(module), *getattr(module, "__all__", ()), *self._listed_below(path)}:
                full = self.aliases.get(f"{path}.{name}", f"{path}.{name}")
                is_core = full in self.names and full.rpartition(".")[0] in CORE_MODULES
                if not is_core or not self._is_public(path, name, full):
                    continue
                value = getattr(module, name, None)
                if self.names[full]["kind"] == "constant" and not isinstance(value, _PLAIN_VALUES):
                    if id(value) in constants:
                        continue  # the same object under another module
                    constants.add(id(value))
                yield full

    def _listed_below(self, path: str) -> Iterable[str]:
        """Names of a module whose attributes are made up: settings of torch.backends, return types."""
        return (name.rpartition(".")[2] for name in self.names if name.rpartition(".")[0] == path)

    def _is_public(self, path: str, name: str, full: str) -> bool:
        """Whether the name that `path` offers is public: in its `__all__`, or documented where there is none."""
        entry = self.names[full]
        kind = entry["kind"]
        if name.startswith("_") or kind == "module":
            return False
        exported = getattr(self.modules[path], "__all__", None)
        if kind == "constant":
            return self._is_public_constant(path, name, entry.get("type", ""), exported)
        if kind in _SINGLETONS:
            return True
        value = getattr(self.modules[path], name, None)
        if path == "torch.return_types":
            return inspect.isclass(value) and not name.endswith("_out")
        if path == "torch.multiprocessing" and not str(value.__module__).startswith("torch."):
            return False  # Python's own
        if path != "torch":
            return name in exported if exported is not None else self._is_documented(path, value)
        if inspect.isclass(value):
            named = full in CORE_CLASSES or name in _SINGLETONS or name.endswith("Storage")
            return named or kind == "tensor_class" or is_documented(value)
        if is_documented(value):
            return True
        # The generated bindings export functions that have no page: those that layers call count.
        is_kernel = name.startswith(_KERNELS_OF_LIBRARIES) or bool(value.__doc__)
        return name in exported and not is_kernel

    def _is_public_constant(
        self, path: str, name: str, type_name: str, exported: Iterable[str] | None
    ) -> bool:
        if path.startswith(("torch.backends.", "torch.version")):
            return True
        if path in ("torch", "torch.return_types") and type_name not in _PLAIN_TYPES:
            return False
        return exported is not None and name in exported and not _TYPING.search(type_name)

    def _is_documented(self, path: str, value: Any) -> bool:
        """Whether a module without `__all__` means the name for its users: it has a text, and the module that
        defines it exports it or is this one."""
        if not is_documented(value):
            return False
        home = str(getattr(value, "__module__", None) or path)
        exported = getattr(self.modules.get(home), "__all__", None)
        if exported is not None and home != path:
            return value.__name__ in exported
        return home == path or home.startswith((f"{path}.", "torch._C"))

    def _of_classes(self) -> Iterable[str]:
        for name, entry in self.names.items():
            owner, _, member = name.rpartition(".")
            is_distribution = _DISTRIBUTION in self._ancestors(owner)
            if (owner not in CORE_CLASSES and not is_distribution) or member.startswith("_"):
                continue
            if member in _CALLED_BY_TORCH and owner != "torch.nn.Module":
                continue
            if any(f"{base}.{member}" in self.names for base in self._ancestors(owner)):
                continue
            value = getattr(self._class(owner), member, None)
            if entry["kind"] == "instance_attribute":
                shown = owner in _OPEN_INSTANCES or (is_distribution and self._is_parameter(owner, member))
            elif entry["kind"] in ("method", "attribute"):
                shown = owner == "torch.Tensor" or is_documented(value)
                shown = shown or (owner in CORE_CLASSES and owner.startswith(_WITH_PLAIN_ATTRIBUTES))
                shown = shown or (is_distribution and self._is_parameter(owner, member))
            else:
                continue
            if shown:
                yield name

    def _is_parameter(self, owner: str, member: str) -> bool:
        """Whether the constructor takes what the member gives back."""
        return any(re.search(rf"\b{member}\b", line) for line in self.names[owner]["signatures"])

    def _class(self, name: str) -> Any:
        path, _, simple = name.rpartition(".")
        return getattr(self.modules[path], simple)

    def _ancestors(self, name: str) -> list[str]:
        found = []
        for base in self.classes.get(name, ()):
            found += [base, *self._ancestors(base)]
        return found


def is_documented(value: Any) -> bool:
    """Whether there is a text about it, more than the signature that the bindings write themselves."""
    text = getattr(value, "__doc__", None)
    if not isinstance(text, str) or text == type(value).__doc__:
        return False  # of a plain value Python shows the text of its type
    return bool(text.strip()) and not _BINDING_TEXT.match(text)
