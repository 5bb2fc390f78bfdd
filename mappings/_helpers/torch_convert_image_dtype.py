import mindspore


def torch_convert_image_dtype(image, dtype=mindspore.float32):
    """torchvision's convert_image_dtype: a tensor in another dtype, with bytes from 0 to 255 as floats from 0 to 1."""
    is_float = dtype in (mindspore.float16, mindspore.bfloat16, mindspore.float32, mindspore.float64)
    if image.dtype == dtype or (is_float and image.is_floating_point()):
        return image.astype(dtype)
    if is_float and image.dtype == mindspore.uint8:
        return image.astype(dtype) / 255
    if dtype == mindspore.uint8 and image.is_floating_point():
        return (image * (256 - 1e-3)).astype(dtype)
    raise NotImplementedError("images of other whole numbers than bytes are not ported")
