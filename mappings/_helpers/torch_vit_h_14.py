def torch_vit_h_14(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vit_h_14 without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    image_size = options.pop("image_size", 224)
    return TorchVisionTransformer(image_size, 14, 32, 16, 1280, 5120, **options)
