import mindspore
import numpy


def torch_normal(
    mean, std=1.0, size=None, *, dtype=None, device=None, generator=None, out=None, requires_grad=False
):
    """PyTorch's normal: random numbers around numbers or tensors, of which they have no gradient."""
    if out is not None or requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    if size is None:
        size = numpy.broadcast_shapes(*(getattr(given, "shape", ()) for given in (mean, std)))
    given = [one.dtype for one in (mean, std) if isinstance(one, mindspore.Tensor)]
    kind = dtype or (given[0] if given else mindspore.float32)
    drawn = torch_randn(size, dtype=kind, generator=generator)
    return mindspore.ops.stop_gradient(drawn * std + mean)
