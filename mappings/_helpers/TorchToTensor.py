import mindspore


class TorchToTensor:
    """A tensor of channels, height and width of an image of PIL or an array; bytes become numbers from 0 to 1."""

    def __call__(self, pic):
        array = mindspore.dataset.vision.ToNumpy()(pic) if hasattr(pic, "mode") else pic
        array = (array if array.ndim > 2 else array[:, :, None]).transpose(2, 0, 1).copy()
        if array.dtype.name == "uint8":
            array = array.astype("float32") / 255
        elif array.dtype.name == "bool":
            array = array.astype("float32")
        return mindspore.Tensor(array)
