def torch_vgg16_bn(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg16_bn without trained weights."""
    return torch_vgg((2, 2, 3, 3, 3), True, weights or pretrained, **options)
