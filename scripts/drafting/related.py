"""The forms of one torch concept: `torch.abs`, `torch.Tensor.abs`, `torch.abs_`."""

from __future__ import annotations

from mindport.mapping.schema import Forms
from mindport.registry.torch import TorchKind, torch_facts

_OWNERS = ("torch", "torch.nn.functional", "torch.Tensor", "torch.nn")
_FORMS: dict[TorchKind, Forms] = {
    TorchKind.FUNCTION: "function",
    TorchKind.METHOD: "method",
    TorchKind.MODULE_CLASS: "module",
    TorchKind.ATTRIBUTE: "attribute",
    TorchKind.INSTANCE_ATTRIBUTE: "attribute",
}


def form_of(name: str) -> Forms:
    """The form under which a file lists a canonical torch name."""
    kind = torch_facts().kind(name)
    if kind is None:
        return "value"
    return _FORMS.get(kind, "class" if kind.is_class else "value")


def related_names(name: str) -> tuple[str, ...]:
    """The other canonical names that are called as `name` is, but for capitals and underscores. Only in torch's main
    namespaces: elsewhere, as in `torch.linalg`, the same name often means something else."""
    torch = torch_facts()
    owner, _, simple = name.rpartition(".")
    if owner not in _OWNERS or simple.startswith("_"):
        return ()
    tensor = (f"torch.Tensor.{member}" for member in torch.members("torch.Tensor"))
    found = {
        torch.canonical(other): None
        for other in (*torch.names(), *tensor)
        if _concept(other) == _concept(name) and other.rpartition(".")[0] in _OWNERS
    }
    return tuple(other for other in found if other is not None and other != name)


def _concept(name: str) -> str:
    return name.rpartition(".")[2].replace("_", "").lower()
