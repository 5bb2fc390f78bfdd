"""What of an example is compiled in graph mode. The rest runs in Python there, as in PyNative."""

from __future__ import annotations

from mindport.mapping.names import listed_names
from mindport.mapping.schema import Example, Mapping

EXAMPLES_OF_A_CASE = 2  # each is compiled, and its gradient again

# What prepares, trains, saves and measures; no network calls it in its forward.
_IN_PYTHON = (
    "torch.Generator",
    "torch.Tensor.backward",
    "torch.amp.GradScaler",
    "torch.autograd.",
    "torch.backends.",
    "torch.compile",
    "torch.cuda.",
    "torch.distributed.",
    "torch.get_",
    "torch.hub.",
    "torch.initial_seed",
    "torch.jit.",
    "torch.load",
    "torch.manual_seed",
    "torch.multiprocessing.",
    "torch.nn.init.",
    "torch.nn.Module.",
    "torch.nn.parallel.",
    "torch.nn.utils.",
    "torch.onnx.",
    "torch.optim.",
    "torch.profiler.",
    "torch.random.",
    "torch.save",
    "torch.seed",
    "torch.set_",
    "torch.utils.",
    "torchaudio.",
    "torchvision.datasets",
    "torchvision.io",
    "torchvision.transforms",
    "torchvision.utils",
)
_IN_GRAPHS = ("torch.nn.Module.forward", "torch.nn.Module.__call__", "torch.utils.checkpoint.")


def is_compiled(mapping: Mapping, example: Example) -> bool:
    """Whether what an example computes belongs into a graph: not what changes the state of Python or of an optimizer,
    and no name that stands in the code around networks."""
    if example.compare == "effect":
        return False
    names = [name for name, _ in listed_names(mapping.torch)]
    return any(name.startswith(_IN_GRAPHS) or not name.startswith(_IN_PYTHON) for name in names)
