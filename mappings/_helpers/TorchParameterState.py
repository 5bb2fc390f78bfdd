import collections

import mindspore


class TorchParameterState(collections.ChainMap):
    """What an optimizer has of one parameter: what the program put there, and what MindSpore's keeps, by PyTorch's
    names. Of the latter another value is written into the optimizer."""

    def __setitem__(self, name, value):
        own, kept = self.maps
        if name in kept and name not in own:
            value = mindspore.Tensor(value, kept[name].dtype).reshape(kept[name].shape)
            mindspore.ops.assign(kept[name], value)
        else:
            own[name] = value
