import math

import mindspore


def torch_rotate_image(
    img,
    angle,
    interpolation=mindspore.dataset.vision.Inter.NEAREST,
    expand=False,
    center=None,
    fill=None,
):
    """torchvision's rotate: turns an image of PIL or a tensor around its middle, against the clock."""
    if hasattr(img, "mode"):
        resample = getattr(interpolation, "value", interpolation)
        return img.rotate(angle, resample, expand, center, fillcolor=torch_fill_colour(img, fill))
    height, width = img.shape[-2:]
    middle = (0.0, 0.0) if center is None else (center[0] - width / 2, center[1] - height / 2)
    matrix = torch_affine_matrix(middle, -angle)
    size = (height, width)
    if expand:
        # How far the corners of the turned image reach, each way, counted from its first pixel.
        corners = [(x * width / 2, y * height / 2) for x in (-1, 1) for y in (-1, 1)]
        lengths = []
        for row, length in ((matrix[3:], height), (matrix[:3], width)):
            reached = [row[0] * x + row[1] * y + row[2] + length / 2 for x, y in corners]
            first, last = (math.trunc(end(reached) * 1e4) / 1e4 for end in (min, max))
            lengths.append(math.ceil(last) - math.floor(first))
        size = tuple(lengths)
    return torch_warp_image(img, matrix, size, interpolation, fill)
