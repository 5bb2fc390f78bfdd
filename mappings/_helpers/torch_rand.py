import mindspore


def torch_rand(*size, dtype=None, out=None, requires_grad=False, generator=None, **options):
    """PyTorch's rand for sizes and options that are handed on; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    if out is not None:
        return torch_into(out, torch_rand(*size, generator=generator))
    size = torch_int_sizes(size)
    if dtype in (mindspore.complex64, mindspore.complex128):
        part = mindspore.float32 if dtype == mindspore.complex64 else mindspore.float64
        parts = [torch_rand(*size, dtype=part, generator=generator) for _ in range(2)]
        return mindspore.ops.Complex()(*parts)
    if generator is not None:
        return mindspore.Tensor(torch_draws(generator).random(size), dtype or mindspore.float32)
    return mindspore.ops.rand(*size, dtype=dtype or mindspore.float32)
