def torch_r2plus1d_18(weights=None, progress=True, pretrained=False, **options):
    """torchvision's r2plus1d_18 without trained weights."""
    if weights or pretrained:
        raise ValueError("convert trained weights with `mindport convert-weights`, and load them")
    makers = [TorchConv2Plus1D] * 4
    return TorchVideoResNet(TorchVideoBasicBlock, makers, [2, 2, 2, 2], TorchR2Plus1dStem, **options)
