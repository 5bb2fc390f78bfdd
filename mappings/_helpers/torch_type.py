import mindspore


def torch_type(input, dtype, non_blocking=False):
    """PyTorch's x.type(...): cast to a dtype, to that of torch_float_tensor and its like, or to a type by its name."""
    if isinstance(dtype, str):
        name = dtype.rpartition(".")[2]
        names = {"Float": "float32", "Double": "float64", "Half": "float16", "Long": "int64", "Int": "int32"}
        names |= {"Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool_", "BFloat16": "bfloat16"}
        return input.astype(getattr(mindspore, names[name.removesuffix("Tensor")]))
    if dtype is mindspore.Tensor:  # `x.type(type(y))`
        return input.astype(mindspore.float32)
    return input.astype(getattr(dtype, "dtype", dtype))
