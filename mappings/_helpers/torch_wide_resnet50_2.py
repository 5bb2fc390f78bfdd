def torch_wide_resnet50_2(weights=None, progress=True, pretrained=False, **options):
    """torchvision's wide_resnet50_2 without trained weights."""
    return torch_resnet(
        TorchResNetBottleneck, [3, 4, 6, 3], weights or pretrained, **{"width_per_group": 128, **options}
    )
