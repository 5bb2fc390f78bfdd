import mindspore


class TorchGaussianBlur:
    """Blurs images of PIL, each with a sigma that is drawn between two bounds."""

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        self.kernel_size = kernel_size if isinstance(kernel_size, int) else tuple(kernel_size)
        self.sigma = (sigma, sigma) if isinstance(sigma, (int, float)) else tuple(sigma)

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        return mindspore.dataset.vision.GaussianBlur(self.kernel_size, random.uniform(*self.sigma))(img)
