def torch_center_crop(img, output_size):
    """torchvision's center_crop: cuts out the middle of an image of PIL or a tensor."""
    return TorchCenterCrop(output_size)(img)
