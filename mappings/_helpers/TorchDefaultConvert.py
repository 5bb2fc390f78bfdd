import collections.abc
import copy

import mindspore


def TorchDefaultConvert(sample):
    """Tensors of the arrays in a sample; everything else stays."""
    if isinstance(sample, collections.abc.Mapping):
        converted = copy.copy(sample)  # an OrderedDict or the like stays one
        converted.update({key: TorchDefaultConvert(value) for key, value in sample.items()})
        return converted
    if isinstance(sample, tuple) and hasattr(sample, "_fields"):
        return type(sample)(*map(TorchDefaultConvert, sample))
    if isinstance(sample, (tuple, list)):
        return [TorchDefaultConvert(value) for value in sample]
    is_array = hasattr(sample, "dtype") and not isinstance(sample, mindspore.Tensor)
    return mindspore.Tensor(sample) if is_array else sample
