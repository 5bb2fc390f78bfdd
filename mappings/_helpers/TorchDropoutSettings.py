import mindspore


class TorchDropoutSettings:
    """Sets the share that PyTorch's layers of dropout read in every call; MindSpore's read it once, when they are
    built."""

    def __init__(self, layer):
        object.__setattr__(self, "layer", layer)

    def __getattr__(self, name):
        layer = self.layer
        if name == "p" and isinstance(layer, (mindspore.nn.Dropout2d, mindspore.nn.Dropout3d)):
            return 1 - layer.keep_prob
        if name == "p" and isinstance(layer, mindspore.nn.Dropout1d):
            return layer.prob
        return getattr(layer, name)

    def __setattr__(self, name, value):
        layer = self.layer
        kinds = [getattr(mindspore.nn, f"Dropout{axes}") for axes in ("", "1d", "2d", "3d")]
        kind = next((one for one in kinds if isinstance(layer, one)), None)
        if name != "p" or kind is None:
            setattr(layer, name, value)
            return
        is_training = layer.training
        kind.__init__(layer, p=float(value))
        layer.set_train(is_training)
