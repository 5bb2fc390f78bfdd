import collections.abc

import mindspore


def TorchDefaultCollate(samples):
    """One sample with a new first axis: tensors of tensors, arrays and numbers, in the same containers."""
    first = samples[0]
    if isinstance(first, (str, bytes)):
        return samples
    if isinstance(first, collections.abc.Mapping):
        return {key: TorchDefaultCollate([sample[key] for sample in samples]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(TorchDefaultCollate(column) for column in zip(*samples, strict=True)))
    if isinstance(first, (tuple, list)):
        return [TorchDefaultCollate(column) for column in zip(*samples, strict=True)]
    if isinstance(first, mindspore.Tensor):
        return mindspore.ops.stack(samples)
    if hasattr(first, "dtype"):
        return mindspore.ops.stack([mindspore.Tensor(sample) for sample in samples])
    return mindspore.Tensor(samples, mindspore.float64 if isinstance(first, float) else None)
