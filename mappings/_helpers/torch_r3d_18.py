def torch_r3d_18(weights=None, progress=True, pretrained=False, **options):
    """torchvision's r3d_18 without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    makers = [TorchConv3DSimple] * 4
    return TorchVideoResNet(TorchVideoBasicBlock, makers, [2, 2, 2, 2], TorchBasicStem, **options)
