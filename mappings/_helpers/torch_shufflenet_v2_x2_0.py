def torch_shufflenet_v2_x2_0(weights=None, progress=True, pretrained=False, **options):
    """torchvision's shufflenet_v2_x2_0 without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    return TorchShuffleNetV2([4, 8, 4], [24, 244, 488, 976, 2048], **options)
