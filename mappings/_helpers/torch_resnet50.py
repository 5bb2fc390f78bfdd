def torch_resnet50(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnet50 without trained weights."""
    return torch_resnet(TorchResNetBottleneck, [3, 4, 6, 3], weights or pretrained, **options)
