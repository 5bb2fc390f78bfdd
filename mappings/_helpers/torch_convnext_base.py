def torch_convnext_base(weights=None, progress=True, pretrained=False, **options):
    """torchvision's convnext_base without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return torch_convnext((128, 256, 512, 1024), (3, 3, 27, 3), 0.5, **options)
