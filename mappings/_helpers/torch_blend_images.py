def torch_blend_images(img, other, share):
    """A mixture of two tensors of colours, which keeps the bounds of their type: 1, or 255 for whole numbers."""
    bound = 1.0 if img.is_floating_point() else 255.0
    return (img * share + other * (1.0 - share)).clamp(0, bound).astype(img.dtype)
