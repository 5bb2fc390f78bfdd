def torch_convnext_tiny(weights=None, progress=True, pretrained=False, **options):
    """torchvision's convnext_tiny without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return torch_convnext((96, 192, 384, 768), (3, 3, 9, 3), 0.1, **options)
