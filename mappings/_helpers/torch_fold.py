import mindspore


def torch_fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """PyTorch's fold: sizes are numbers or pairs, and the batch axis may be left out."""
    sizes = [
        tuple(int(one) for one in (size if isinstance(size, (tuple, list)) else (size, size)))
        for size in (output_size, kernel_size, dilation, padding, stride)
    ]
    blocks = input if input.ndim == 3 else input.expand_dims(0)
    image = mindspore.ops.fold(blocks, mindspore.Tensor(sizes[0], mindspore.int32), *sizes[1:])
    return image if input.ndim == 3 else image.squeeze(0)
