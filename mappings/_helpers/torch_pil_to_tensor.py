def torch_pil_to_tensor(pic):
    """torchvision's pil_to_tensor: a tensor of channels, height and width with the numbers that an image has."""
    return TorchPILToTensor()(pic)
