class TorchGaussianBlur:
    """Blurs images of PIL and tensors, each with a sigma that is drawn between two bounds."""

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        self.kernel_size = kernel_size if isinstance(kernel_size, int) else tuple(kernel_size)
        self.sigma = (sigma, sigma) if isinstance(sigma, (int, float)) else tuple(sigma)

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        return torch_gaussian_blur(img, self.kernel_size, random.uniform(*self.sigma))
