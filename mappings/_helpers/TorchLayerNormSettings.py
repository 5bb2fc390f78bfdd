import mindspore


class TorchLayerNormSettings:
    """Sets the eps that PyTorch's LayerNorm reads in every call; MindSpore's reads it once, when it is built."""

    def __init__(self, layer):
        object.__setattr__(self, "layer", layer)

    def __getattr__(self, name):
        layer = self.layer
        return getattr(layer, "epsilon" if name == "eps" and hasattr(layer, "epsilon") else name)

    def __setattr__(self, name, value):
        layer = self.layer
        if name == "eps" and isinstance(layer, mindspore.nn.LayerNorm):
            axes = layer.begin_norm_axis, layer.begin_params_axis
            layer.epsilon, layer.layer_norm = value, mindspore.ops.LayerNorm(*axes, epsilon=value)
        setattr(layer, name, value)
