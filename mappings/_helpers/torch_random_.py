import mindspore


def torch_random_(input, from_=0, to=None):
    """PyTorch's random_: fills the tensor with whole numbers from `from_` to `to - 1`, and gives it back."""
    if to is None:  # as far as numbers of the type are exact
        most = {
            "Float16": 2**11,
            "BFloat16": 2**8,
            "Float32": 2**24,
            "Bool": 1,
            "UInt8": 2**8 - 1,
            "Int8": 2**7 - 1,
        }
        to = most.get(str(input.dtype), 2**31 - 2 if str(input.dtype) != "Int16" else 2**15 - 1) + 1
    input[()] = mindspore.ops.randint(from_, to, input.shape).astype(input.dtype)
    return input
