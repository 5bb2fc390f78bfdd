def torch_vgg19(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg19 without trained weights."""
    return torch_vgg((2, 2, 4, 4, 4), False, weights or pretrained, **options)
