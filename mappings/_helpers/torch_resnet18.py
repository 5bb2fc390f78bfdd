def torch_resnet18(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnet18 without trained weights."""
    return torch_resnet(TorchResNetBasicBlock, [2, 2, 2, 2], weights or pretrained, **options)
