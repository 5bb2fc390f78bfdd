def torch_resnext50_32x4d(weights=None, progress=True, pretrained=False, **options):
    """torchvision's resnext50_32x4d without trained weights."""
    return torch_resnet(
        TorchResNetBottleneck,
        [3, 4, 6, 3],
        weights or pretrained,
        **{"groups": 32, "width_per_group": 4, **options},
    )
