import mindspore


def torch_crop_image(img, top, left, height, width):
    """torchvision's crop: cuts a rectangle out of an image of PIL or a tensor; what lies outside of it is black."""
    bottom, right = top + height, left + width
    if hasattr(img, "mode"):
        return img.crop((left, top, right, bottom))
    rows, columns = img.shape[-2:]
    part = img[..., max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    if part.shape[-2:] == (height, width):
        return part
    sides = (min(right, 0) - left, right - max(columns, left), min(bottom, 0) - top, bottom - max(rows, top))
    return mindspore.ops.pad(part, [max(side, 0) for side in sides])
