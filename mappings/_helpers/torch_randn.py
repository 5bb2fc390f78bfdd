import mindspore


def torch_randn(*size, dtype=None, out=None, requires_grad=False, generator=None, **options):
    """PyTorch's randn for sizes and options that are handed on; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    if out is not None:
        return torch_into(out, torch_randn(*size, generator=generator))
    size = torch_int_sizes(size)
    if generator is not None:
        return mindspore.Tensor(torch_draws(generator).standard_normal(size), dtype or mindspore.float32)
    return mindspore.ops.randn(*size, dtype=dtype or mindspore.float32)
