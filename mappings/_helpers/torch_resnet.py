def torch_resnet(block, layers, weights, **options):
    """A network of torchvision's family ResNet without trained weights."""
    if weights:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return TorchResNet(block, layers, **options)
