def torch_resnet101(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnet101 without trained weights."""
    return torch_resnet(TorchResNetBottleneck, [3, 4, 23, 3], weights or pretrained, **options)
