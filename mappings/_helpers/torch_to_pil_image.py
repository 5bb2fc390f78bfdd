import mindspore


def torch_to_pil_image(pic, mode=None):
    """torchvision's to_pil_image: an image of PIL of a tensor (channels, height, width; numbers from 0 to 1 become
    bytes) or of an array (height, width, channels)."""
    from PIL import Image

    array = pic
    if isinstance(pic, mindspore.Tensor):
        array = pic.asnumpy()
        if array.dtype.kind == "f" and mode != "F":
            array = (array * 255).astype("int64").astype("uint8")
        array = array[None] if array.ndim == 2 else array
        array = array.transpose(1, 2, 0)
    array = array[:, :, None] if array.ndim == 2 else array
    height, width, channels = array.shape
    if channels == 1:
        modes = {"uint8": ("L",), "int16": ("I;16",), "int32": ("I",), "float32": ("F",)}.get(
            array.dtype.name, ()
        )
    else:
        modes = {2: ("LA",), 3: ("RGB", "YCbCr", "HSV"), 4: ("RGBA", "CMYK", "RGBX")}.get(channels, ())
        modes = modes if array.dtype.name == "uint8" else ()
    if not modes:
        raise TypeError(f"{array.dtype.name} numbers in {channels} channels are no image")
    if mode not in (None, *modes):
        raise ValueError(f"only modes {list(modes)} are supported for {channels} channels")
    return Image.frombytes(mode or modes[0], (width, height), array.tobytes())
