"""What a few torch names accept, as their pages say in prose: their code only says `*args`, or nothing."""

from __future__ import annotations

DOCUMENTED_SIGNATURES = {
    # All arguments are read by position. An equation names as many operands as it has commas and one more.
    "torch.einsum": (
        "(equation: str, operand: Tensor, other: Tensor = ..., /, *operands: Tensor) -> Tensor",
    ),
    "torch.nn.Module.to": (
        "(device: DeviceLikeType | None = None, dtype: dtype | None = None, non_blocking: bool = False) -> Self",
        "(dtype: dtype, non_blocking: bool = False) -> Self",
        "(tensor: Tensor, non_blocking: bool = False) -> Self",
        "(*, memory_format: memory_format) -> Self",
    ),
    # Annotated as `Callable[..., Any]`: each network's own takes what it wants, by place or by name.
    "torch.nn.Module.forward": ("(*input: Any, **named: Any) -> Any",),
    "torch.autograd.Variable": ("(data: Tensor, requires_grad: bool = False, volatile: bool = False)",),
    "torch.unique_consecutive": (
        "(input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None)"
        " -> Tensor",
    ),
    "torch.sparse.mm": ("(mat1: Tensor, mat2: Tensor, reduce: str = 'sum') -> Tensor",),
}

# Names that code writes as torch's although torch only passes them on from the standard library.
PASSED_ON = {"torch.jit.Final": {"kind": "class", "signatures": []}}
