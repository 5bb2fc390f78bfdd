import mindspore


def torch_randn(*size, dtype=None, out=None, requires_grad=False, generator=None, **options):
    """PyTorch's randn for sizes and options that are handed on; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    if out is not None:
        return torch_into(out, torch_randn(*size, generator=generator))
    size = torch_int_sizes(size)
    if dtype in (mindspore.complex64, mindspore.complex128):
        part = mindspore.float32 if dtype == mindspore.complex64 else mindspore.float64
        parts = [torch_randn(*size, dtype=part, generator=generator) * 0.5**0.5 for _ in range(2)]
        return mindspore.ops.Complex()(*parts)
    if generator is not None:
        return mindspore.Tensor(torch_draws(generator).standard_normal(size), dtype or mindspore.float32)
    return mindspore.ops.randn(*size, dtype=dtype or mindspore.float32)
