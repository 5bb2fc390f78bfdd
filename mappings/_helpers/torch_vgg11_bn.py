def torch_vgg11_bn(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg11_bn without trained weights."""
    return torch_vgg((1, 1, 2, 2, 2), True, weights or pretrained, **options)
