def torch_squeezenet1_0(weights=None, progress=True, pretrained=False, **options):
    """torchvision's squeezenet1_0 without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return TorchSqueezeNet("1_0", **options)
