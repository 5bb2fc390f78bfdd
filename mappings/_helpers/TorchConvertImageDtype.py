class TorchConvertImageDtype:
    """Changes the dtype of tensors and scales their values to its range."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, image):
        return torch_convert_image_dtype(image, self.dtype)
