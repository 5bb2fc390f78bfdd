def torch_resnet152(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnet152 without trained weights."""
    return torch_resnet(TorchResNetBottleneck, [3, 8, 36, 3], weights or pretrained, **options)
