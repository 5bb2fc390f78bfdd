def torch_resnext101_64x4d(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnext101_64x4d without trained weights."""
    return torch_resnet(
        TorchResNetBottleneck,
        [3, 4, 23, 3],
        weights or pretrained,
        **{"groups": 64, "width_per_group": 4, **options},
    )
