import mindspore


def torch_to_grayscale(img, num_output_channels=1):
    """torchvision's to_grayscale and rgb_to_grayscale: turns the colours of an image of PIL or a tensor into grey."""
    if hasattr(img, "mode"):
        return mindspore.dataset.vision.Grayscale(num_output_channels)(img)
    red, green, blue = (img[..., channel : channel + 1, :, :] for channel in range(3))
    grey = (0.2989 * red + 0.587 * green + 0.114 * blue).astype(img.dtype)
    return mindspore.ops.cat([grey] * num_output_channels, -3)
