def torch_vgg19_bn(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg19_bn without trained weights."""
    return torch_vgg((2, 2, 4, 4, 4), True, weights or pretrained, **options)
