import mindspore


class TorchBiasSettings:
    """Sets the bias that PyTorch's layers look for in every call; MindSpore's note once, when they are built, whether
    they have one."""

    def __init__(self, layer):
        object.__setattr__(self, "layer", layer)

    def __getattr__(self, name):
        return getattr(self.layer, name)

    def __setattr__(self, name, value):
        layer = self.layer
        setattr(layer, name, value)
        if name == "bias" and hasattr(layer, "has_bias"):
            layer.has_bias = value is not None
        if isinstance(layer, mindspore.nn.Dense):
            layer.bias_add = mindspore.ops.BiasAdd()
