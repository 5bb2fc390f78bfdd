import mindspore


def torch_adjust_gamma(img, gamma, gain=1):
    """torchvision's adjust_gamma: `gain * img ** gamma` of an image of PIL or a tensor."""
    if hasattr(img, "mode"):
        return mindspore.dataset.vision.AdjustGamma(gamma, gain)(img.convert("RGB")).convert(img.mode)
    colours = img if img.is_floating_point() else torch_convert_image_dtype(img)
    return torch_convert_image_dtype((gain * colours**gamma).clamp(0, 1), img.dtype)
