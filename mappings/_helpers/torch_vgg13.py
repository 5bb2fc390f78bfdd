def torch_vgg13(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg13 without trained weights."""
    return torch_vgg((2, 2, 2, 2, 2), False, weights or pretrained, **options)
