import mindspore


def torch_vgg(blocks, batch_norm, weights, **options):
    """A network of torchvision's family VGG without trained weights; `blocks`: the layers for each size of maps."""
    if weights:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    layers, channels = [], 3
    for number, results in zip(blocks, (64, 128, 256, 512, 512)):
        for _ in range(number):
            conv = mindspore.nn.Conv2d(
                channels,
                results,
                3,
                pad_mode="pad",
                padding=1,
                has_bias=True,
                weight_init=mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu"),
                bias_init="zeros",
            )
            norms = [mindspore.nn.BatchNorm2d(results)] if batch_norm else []
            layers += [conv, *norms, mindspore.nn.ReLU()]
            channels = results
        layers.append(mindspore.nn.MaxPool2d(2, 2))
    return TorchVGG(mindspore.nn.SequentialCell(*layers), **options)
