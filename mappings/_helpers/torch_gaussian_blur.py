import mindspore


def torch_gaussian_blur(img, kernel_size, sigma=None):
    """torchvision's gaussian_blur of images of PIL and of tensors."""
    sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
    if sigma is None:
        sigma = [0.3 * ((size - 1) * 0.5 - 1) + 0.8 for size in sizes]
    sigmas = [sigma] * 2 if isinstance(sigma, (int, float)) else list(sigma) * (2 // len(sigma))
    if hasattr(img, "mode"):
        from PIL import Image

        blur = mindspore.dataset.vision.GaussianBlur(tuple(sizes), tuple(map(float, sigmas)))
        # MindSpore gives an array, and what follows in the pipeline takes an image.
        return Image.frombytes(img.mode, img.size, blur(img).tobytes())
    across, down = (
        mindspore.ops.softmax(-0.5 * ((mindspore.ops.arange(size) - (size - 1) / 2) / width) ** 2)
        for size, width in zip(sizes, sigmas)
    )
    images = img.astype(mindspore.float32).reshape((-1, *img.shape[-3:]))
    edges = [sizes[0] // 2, sizes[0] // 2, sizes[1] // 2, sizes[1] // 2]
    images = mindspore.ops.pad(images, edges, mode="reflect")
    kernel = (down[:, None] * across).broadcast_to((img.shape[-3], 1, sizes[1], sizes[0]))
    blurred = mindspore.ops.conv2d(images, kernel, groups=img.shape[-3]).reshape(img.shape)
    return (blurred if img.is_floating_point() else blurred.round()).astype(img.dtype)
