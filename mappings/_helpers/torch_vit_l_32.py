def torch_vit_l_32(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vit_l_32 without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    image_size = options.pop("image_size", 224)
    return TorchVisionTransformer(image_size, 32, 24, 16, 1024, 4096, **options)
