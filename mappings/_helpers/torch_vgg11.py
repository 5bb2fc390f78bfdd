def torch_vgg11(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg11 without trained weights."""
    return torch_vgg((1, 1, 2, 2, 2), False, weights or pretrained, **options)
