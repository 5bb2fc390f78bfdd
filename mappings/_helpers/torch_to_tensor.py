def torch_to_tensor(pic):
    """torchvision's to_tensor: a tensor of channels, height and width of an image of PIL or an array."""
    return TorchToTensor()(pic)
