import mindspore


def torch_affine_image(
    img,
    angle,
    translate,
    scale,
    shear,
    interpolation=mindspore.dataset.vision.Inter.NEAREST,
    fill=None,
    center=None,
):
    """torchvision's affine: turns (with the clock), moves, scales and shears an image of PIL or a tensor."""
    shear = (shear, 0.0) if isinstance(shear, (int, float)) else tuple(shear) * (2 // len(shear))
    if not hasattr(img, "mode"):
        height, width = img.shape[-2:]
        middle = (0.0, 0.0) if center is None else (center[0] - width / 2, center[1] - height / 2)
        matrix = torch_affine_matrix(middle, angle, translate, scale, shear)
        return torch_warp_image(img, matrix, (height, width), interpolation, fill)
    middle = (img.width / 2, img.height / 2) if center is None else center
    matrix = torch_affine_matrix(middle, angle, translate, scale, shear)
    resample = getattr(interpolation, "value", interpolation)
    # 0 is AFFINE among the ways in which PIL transforms.
    return img.transform(img.size, 0, matrix, resample, fillcolor=torch_fill_colour(img, fill))
