import mindspore
import numpy


def torch_pad_image(img, padding, fill=0, padding_mode="constant"):
    """torchvision's pad: adds a border to an image of PIL or a tensor."""
    sides = [padding] if isinstance(padding, int) else list(padding)
    left, top, right, bottom = sides * (4 // len(sides))
    if hasattr(img, "mode") and padding_mode == "constant":
        from PIL import ImageOps

        padded = ImageOps.expand(img, (left, top, right, bottom), torch_fill_colour(img, fill))
        if img.mode == "P":
            padded.putpalette(
                img.getpalette()
            )  # `expand` looks the number up in its own, as if it were a colour
        return padded
    if hasattr(img, "mode"):
        border = getattr(mindspore.dataset.vision.Border, padding_mode.upper())
        return mindspore.dataset.vision.Pad((left, top, right, bottom), fill, border)(img)
    if padding_mode == "constant":
        return mindspore.ops.pad(img, [left, right, top, bottom], value=fill)
    for axis, ends in ((-2, (top, bottom)), (-1, (left, right))):
        places = numpy.pad(numpy.arange(img.shape[axis]), ends, padding_mode)
        img = mindspore.ops.gather(img, mindspore.tensor(places), axis)
    return img
