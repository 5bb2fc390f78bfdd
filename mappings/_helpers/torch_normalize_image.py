def torch_normalize_image(tensor, mean, std, inplace=False):
    """torchvision's normalize: subtracts the mean of each channel of a tensor and divides by its deviation."""
    return TorchNormalize(mean, std, inplace)(tensor)
