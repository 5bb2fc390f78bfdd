def torch_alexnet(weights=None, progress=True, pretrained=False, **options):
    """torchvision's alexnet without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return TorchAlexNet(**options)
