def torch_convnext_large(weights=None, progress=True, pretrained=False, **options):
    """torchvision's convnext_large without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return torch_convnext((192, 384, 768, 1536), (3, 3, 27, 3), 0.5, **options)
