def torch_convnext_small(weights=None, progress=True, pretrained=False, **options):
    """torchvision's convnext_small without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return torch_convnext((96, 192, 384, 768), (3, 3, 27, 3), 0.4, **options)
