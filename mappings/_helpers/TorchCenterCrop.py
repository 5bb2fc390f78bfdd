class TorchCenterCrop:
    """Cuts out the middle of images of PIL and tensors; around a smaller image it puts black."""

    def __init__(self, size):
        sizes = [size] if isinstance(size, int) else list(size)
        self.size = sizes[0], sizes[-1]

    def __call__(self, img):
        sizes = (img.height, img.width) if hasattr(img, "mode") else img.shape[-2:]
        corner = (
            round((size - wanted) / 2) if wanted <= size else -((wanted - size) // 2)
            for size, wanted in zip(sizes, self.size)
        )
        return torch_crop_image(img, *corner, *self.size)
