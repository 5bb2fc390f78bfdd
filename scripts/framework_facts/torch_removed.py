"""Names that torch had from 1.4 on and has no longer, which old model code still uses. No installed torch tells of
them; they are from its old documentation and release notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_TRANSFORM = "(input, signal_ndim, normalized=False) -> Tensor"
_PAIR = "-> tuple[Tensor, Tensor]"

# (name, kind, first version without it or "" where nobody looked it up, signature or type)
_FUNCTIONS = (
    ("rfft", "1.8.0", "(input, signal_ndim, normalized=False, onesided=True) -> Tensor"),
    (
        "irfft",
        "1.8.0",
        "(input, signal_ndim, normalized=False, onesided=True, signal_sizes=None) -> Tensor",
    ),
    ("ifft", "1.8.0", _TRANSFORM),
    ("gels", "1.3.0", f"(input, A, out=None) {_PAIR}"),
    ("gesv", "1.2.0", f"(input, A, out=None) {_PAIR}"),
    ("potrf", "1.2.0", "(input, upper=True, out=None) -> Tensor"),
    ("set_deterministic", "", "(d) -> None"),
    ("is_deterministic", "", "() -> bool"),
)
# These are still there and raise when they are called.
_RAISING = (
    ("solve", "1.13.0", f"(input, A, *, out=None) {_PAIR}"),
    ("lstsq", "1.13.0", f"(input, A, *, out=None) {_PAIR}"),
    ("eig", "1.13.0", f"(input, eigenvectors=False, *, out=None) {_PAIR}"),
    ("matrix_rank", "1.13.0", "(input, tol=None, symmetric=False, *, out=None) -> Tensor"),
    ("symeig", "2.0.0", f"(input, eigenvectors=False, upper=True, *, out=None) {_PAIR}"),
)
_METHODS = (
    ("rfft", "1.8.0", "(signal_ndim, normalized=False, onesided=True) -> Tensor"),
    ("irfft", "1.8.0", "(signal_ndim, normalized=False, onesided=True, signal_sizes=None) -> Tensor"),
    ("fft", "1.8.0", "(signal_ndim, normalized=False) -> Tensor"),
    ("ifft", "1.8.0", "(signal_ndim, normalized=False) -> Tensor"),
    ("gels", "1.3.0", f"(A) {_PAIR}"),
    ("gesv", "1.2.0", f"(A) {_PAIR}"),
    ("potrf", "1.2.0", "(upper=True) -> Tensor"),
)
_RAISING_METHODS = (
    ("solve", "1.13.0", f"(A) {_PAIR}"),
    ("lstsq", "1.13.0", f"(A) {_PAIR}"),
    ("eig", "1.13.0", f"(eigenvectors=False) {_PAIR}"),
    ("symeig", "2.0.0", f"(eigenvectors=False, upper=True) {_PAIR}"),
)
_MULTI_GPU = (
    "all_reduce_multigpu all_gather_multigpu broadcast_multigpu reduce_multigpu reduce_scatter_multigpu"
)
_SIX = (
    ("string_classes", "tuple"),
    ("int_classes", "type"),
    ("container_abcs", ""),
    ("inf", "float"),
    ("nan", "float"),
)


def removed_names(present: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Name -> kind, signatures or type, and the first version without it. Raises ValueError where the installed
    torch, whose names are `present`, has one of them after all."""
    found: dict[str, dict[str, Any]] = {}
    for name, kind, version, text in _rows():
        entry: dict[str, Any] = {"kind": kind, "version": version}
        if kind in ("function", "method", "module_class"):
            entry["signatures"] = [text]
        elif kind == "constant":
            entry["type"] = text
        found[name] = entry
    raising = {f"torch.{row[0]}" for row in _RAISING} | {f"torch.Tensor.{row[0]}" for row in _RAISING_METHODS}
    if back := sorted((found.keys() - raising) & present.keys()):
        raise ValueError(f"torch has {', '.join(back)} again")
    return found


def _rows() -> Iterator[tuple[str, str, str, str]]:
    for name, version, signature in (*_FUNCTIONS, *_RAISING):
        yield f"torch.{name}", "function", version, signature
    for name, version, signature in (*_METHODS, *_RAISING_METHODS):
        yield f"torch.Tensor.{name}", "method", version, signature
    yield "torch._six", "module", "2.0.0", ""
    for name, type_name in _SIX:
        yield f"torch._six.{name}", "constant", "2.0.0", type_name
    yield "torch.optim.optimizer.required", "constant", "", ""
    yield "torch.utils.ffi", "module", "", ""
    yield "torch.utils.ffi.create_extension", "function", "", "(*args, **kwargs)"
    yield "torch.utils.ffi._wrap_function", "function", "", "(*args, **kwargs)"
    yield "torch.nn.modules.linear._LinearWithBias", "module_class", "1.9.0", "(in_features, out_features)"
    for name in _MULTI_GPU.split():
        yield f"torch.distributed.{name}", "function", "", "(*args, **kwargs)"
    yield "torch.distributed.pipeline.sync.Pipe", "module_class", "", "(*args, **kwargs)"
    yield "torch.onnx.dynamo_export", "function", "", "(model, /, *model_args, **model_kwargs)"
