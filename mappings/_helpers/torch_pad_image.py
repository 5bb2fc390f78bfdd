import mindspore
import numpy


def torch_pad_image(img, padding, fill=0, padding_mode="constant"):
    """torchvision's pad: adds a border to an image of PIL or a tensor."""
    sides = [padding] if isinstance(padding, int) else list(padding)
    left, top, right, bottom = sides * (4 // len(sides))
    if hasattr(img, "mode"):
        border = getattr(mindspore.dataset.vision.Border, padding_mode.upper())
        return mindspore.dataset.vision.Pad((left, top, right, bottom), fill, border)(img)
    if padding_mode == "constant":
        return mindspore.ops.pad(img, [left, right, top, bottom], value=fill)
    for axis, ends in ((-2, (top, bottom)), (-1, (left, right))):
        places = numpy.pad(numpy.arange(img.shape[axis]), ends, padding_mode)
        img = mindspore.ops.gather(img, mindspore.tensor(places), axis)
    return img
