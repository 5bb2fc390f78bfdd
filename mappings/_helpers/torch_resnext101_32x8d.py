def torch_resnext101_32x8d(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnext101_32x8d without trained weights."""
    return torch_resnet(
        TorchResNetBottleneck,
        [3, 4, 23, 3],
        weights or pretrained,
        **{"groups": 32, "width_per_group": 8, **options},
    )
