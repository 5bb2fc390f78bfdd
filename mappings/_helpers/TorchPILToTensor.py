import mindspore


class TorchPILToTensor:
    """A tensor of channels, height and width of an image of PIL, with the numbers that the image has."""

    def __call__(self, pic):
        array = mindspore.dataset.vision.ToNumpy()(pic)
        return mindspore.Tensor((array if array.ndim > 2 else array[:, :, None]).transpose(2, 0, 1).copy())
