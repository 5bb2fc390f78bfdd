def torch_vgg13_bn(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg13_bn without trained weights."""
    return torch_vgg((2, 2, 2, 2, 2), True, weights or pretrained, **options)
