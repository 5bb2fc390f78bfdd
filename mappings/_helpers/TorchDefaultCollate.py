import collections.abc
import copy

import mindspore


def TorchDefaultCollate(samples):
    """One sample with a new first axis: tensors of tensors, arrays and numbers, in the same containers."""
    first = samples[0]
    if isinstance(first, (str, bytes)):
        return samples
    if isinstance(first, collections.abc.Mapping):
        batch = copy.copy(first)  # an OrderedDict or the like stays one
        batch.update({key: TorchDefaultCollate([sample[key] for sample in samples]) for key in first})
        return batch
    if isinstance(first, (tuple, list)):
        if len({len(sample) for sample in samples}) > 1:
            raise RuntimeError("the samples of a batch have different lengths")
        columns = [TorchDefaultCollate(column) for column in zip(*samples)]
        return type(first)(*columns) if hasattr(first, "_fields") else columns
    if isinstance(first, mindspore.Tensor):
        return mindspore.ops.stack(samples)
    if hasattr(first, "dtype"):
        return mindspore.Tensor(samples, mindspore.Tensor(first).dtype)
    return mindspore.Tensor(samples, mindspore.float64 if isinstance(first, float) else None)
