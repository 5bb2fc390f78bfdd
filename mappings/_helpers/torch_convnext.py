import types


def torch_convnext(sizes, counts, stochastic_depth_prob, **options):
    """A network of torchvision's family ConvNeXt without trained weights."""
    stages = [
        types.SimpleNamespace(input_channels=size, out_channels=following, num_layers=count)
        for size, following, count in zip(sizes, (*sizes[1:], None), counts)
    ]
    options.setdefault("stochastic_depth_prob", stochastic_depth_prob)
    return TorchConvNeXt(stages, **options)
