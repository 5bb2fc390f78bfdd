import mindspore


def torch_randint(*bounds, dtype=None, out=None, requires_grad=False, generator=None, **options):
    """PyTorch's randint for bounds and options that are handed on; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    names = ("low", "high", "size")
    given = dict(zip(names if len(bounds) == 3 or {"low"} & set(options) else names[1:], bounds))
    given |= {name: options[name] for name in names if name in options}
    low, high = (int(given.get(name, 0)) for name in ("low", "high"))
    size = torch_int_sizes((given["size"],))
    if generator is not None:
        numbers = mindspore.Tensor(torch_draws(generator).integers(low, high, size))
    else:
        numbers = mindspore.ops.randint(low, high, size)
    numbers = numbers if dtype is None else numbers.astype(dtype)
    return numbers if out is None else torch_into(out, numbers)
