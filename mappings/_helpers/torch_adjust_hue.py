import mindspore


def torch_adjust_hue(img, hue_factor):
    """torchvision's adjust_hue: turns the colours of an image of PIL or a tensor by a part of the circle of hues."""
    if hasattr(img, "mode"):
        return mindspore.dataset.vision.py_transforms_util.adjust_hue(img, hue_factor)
    if img.shape[-3] == 1:
        return img
    colours = img if img.is_floating_point() else img.astype(mindspore.float32) / 255
    red, green, blue = (colours[..., channel, :, :] for channel in range(3))
    value, least = mindspore.ops.amax(colours, -3), mindspore.ops.amin(colours, -3)
    spread = value - least
    divisor = mindspore.ops.where(spread == 0, mindspore.ops.ones_like(spread), spread)
    hue = mindspore.ops.where(value == green, 2 + (blue - red) / divisor, 4 + (red - green) / divisor)
    hue = mindspore.ops.where(value == red, (green - blue) / divisor, hue) + 6 * hue_factor
    turned = []
    for start in (5, 3, 1):
        place = (hue + start) % 6
        share = mindspore.ops.minimum(place, 4 - place).clamp(0, 1)
        turned.append(mindspore.ops.where(share == 0, value, (value - spread * share).clamp(0, 1)))
    turned = mindspore.ops.stack(turned, -3)
    if img.is_floating_point():
        return turned.astype(img.dtype)
    return (turned * (256 - 1e-3)).astype(img.dtype)


torch_adjust_hue.__name__ = "adjust_hue"  # programs tell functions in a list apart by it
