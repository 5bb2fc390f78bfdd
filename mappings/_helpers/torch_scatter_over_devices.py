import mindspore


def torch_scatter_over_devices(inputs, target_gpus, dim=0):
    """PyTorch's scatter: tensors in parts for so many devices, with what they lie in; anything else for each."""
    if isinstance(inputs, mindspore.Tensor):
        return inputs.chunk(len(target_gpus), dim)
    if isinstance(inputs, (tuple, list)) and inputs:
        parts = zip(*(torch_scatter_over_devices(one, target_gpus, dim) for one in inputs))
        return [type(inputs)(part) for part in parts]
    if isinstance(inputs, dict) and inputs:
        parts = torch_scatter_over_devices(tuple(inputs.values()), target_gpus, dim)
        return [type(inputs)(zip(inputs, part)) for part in parts]
    return [inputs for _ in target_gpus]
