def torch_mobilenet_v2(weights=None, progress=True, pretrained=False, **options):
    """torchvision's mobilenet_v2 without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return TorchMobileNetV2(**options)
