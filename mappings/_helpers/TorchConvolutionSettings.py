import mindspore


class TorchConvolutionSettings:
    """Sets what PyTorch's convolutions read in every call; MindSpore's read it once, when they are built."""

    def __init__(self, layer):
        object.__setattr__(self, "layer", layer)

    def __getattr__(self, name):
        return getattr(self.layer, name)

    def __setattr__(self, name, value):
        layer, layers = self.layer, mindspore.nn
        others = [f"{kind}{axes}d" for kind in ("MaxPool", "AvgPool") for axes in (1, 2, 3)]
        others += ["Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"]
        if isinstance(layer, tuple(getattr(layers, one) for one in others)):
            raise NotImplementedError(f"a {type(layer).__name__} reads {name} once; build another one")
        axes = next((axes for axes in (1, 2, 3) if isinstance(layer, getattr(layers, f"Conv{axes}d"))), 0)
        if not axes:
            setattr(layer, name, value)
            return
        mode = value if isinstance(value, str) else "pad"
        value = 0 if isinstance(value, str) else value
        sizes = tuple(value) if isinstance(value, (tuple, list)) else (value,) * axes
        if name == "padding" and getattr(layer, "edges", ()):
            return  # what pads otherwise than with zeros PyTorch reads once, too
        if hasattr(layer, "sides"):  # of a class that reads its settings in every call
            if name == "padding":
                layer.sides = mode, sizes[0]
            setattr(layer, name, mode if mode != "pad" else sizes)
            return
        given = mode if mode != "pad" else sizes
        before = (1,) * (axes == 1)  # MindSpore keeps settings over one axis as over two
        if name == "padding":
            layer.pad_mode, before = mode, tuple(0 for _ in before)
            sizes, before = (tuple(size for size in part for _ in range(2)) for part in (sizes, before))
        setattr(layer, name, before + sizes)
        sides = layer.padding if layer.pad_mode == "pad" else 0
        if isinstance(sides, tuple) and len(sides) == axes > 1:
            sides = tuple(side for side in sides for _ in range(2))
        settings = {"mode": 1, "pad_mode": layer.pad_mode, "pad": sides, "stride": layer.stride}
        settings |= {"dilation": layer.dilation, "data_format": layer.data_format}
        channels, kernel = layer.out_channels, layer.kernel_size
        if axes < 3:
            layer.conv2d = mindspore.ops.Conv2D(channels, kernel, group=layer.group, **settings)
        else:  # such a layer goes through the groups itself
            layer.conv3d = mindspore.ops.Conv3D(channels // layer.group, kernel, **settings)
        if name == "padding" and hasattr(layer, "edges"):
            layer.padding = given  # for each axis, as a subclass reads it
