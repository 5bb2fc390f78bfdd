def torch_resnet34(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnet34 without trained weights."""
    return torch_resnet(TorchResNetBasicBlock, [3, 4, 6, 3], weights or pretrained, **options)
