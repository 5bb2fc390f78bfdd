def torch_vgg16(weights=None, progress=True, pretrained=False, **options):
    """torchvision's vgg16 without trained weights."""
    return torch_vgg((2, 2, 3, 3, 3), False, weights or pretrained, **options)
