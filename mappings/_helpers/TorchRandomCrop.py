import mindspore


class TorchRandomCrop:
    """Cuts a random part out of images of PIL, around which a border may be put before."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        modes = mindspore.dataset.vision.Border
        mode = {
            "constant": modes.CONSTANT,
            "edge": modes.EDGE,
            "reflect": modes.REFLECT,
            "symmetric": modes.SYMMETRIC,
        }
        self.transform = mindspore.dataset.vision.RandomCrop(
            size, padding, pad_if_needed, fill, mode[padding_mode]
        )

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        return self.transform(img)
