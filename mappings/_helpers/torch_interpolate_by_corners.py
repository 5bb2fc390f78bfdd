import mindspore


def torch_interpolate_by_corners(input, size=None, scale_factor=None, mode=None):
    """PyTorch's functional.interpolate of images with antialias=True and align_corners=True."""
    lengths = input.shape[2:]
    if size is None:
        factors = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor, scale_factor)
        size = [int(length * factor) for length, factor in zip(lengths, factors)]
    elif isinstance(size, int):
        size = (size, size)

    def linear(distance):
        return max(1 - distance, 0.0)

    def cubic(distance):
        if distance < 1:
            return (1.5 * distance - 2.5) * distance * distance + 1
        return ((-0.5 * distance + 2.5) * distance - 4) * distance + 2 if distance < 2 else 0.0

    def weights(length, wanted):
        # One row for each wanted pixel: how much each pixel of the image counts.
        step = (length - 1) / (wanted - 1) if wanted > 1 else 0.0
        wide = max(step, 1.0)
        weigh, reach = (cubic, 2 * wide) if mode == "bicubic" else (linear, wide)
        rows = []
        for place in range(wanted):
            centre = step * (place + 0.5)
            first, last = max(int(centre - reach + 0.5), 0), min(int(centre + reach + 0.5), length)
            row = [weigh(abs(pixel - centre + 0.5) / wide) for pixel in range(first, last)]
            row = [value / (sum(row) or 1.0) for value in row]
            rows.append([0.0] * first + row + [0.0] * (length - last))
        return mindspore.tensor(rows, input.dtype)

    down, across = (weights(length, wanted) for length, wanted in zip(lengths, size))
    return mindspore.ops.matmul(mindspore.ops.matmul(down, input), across.swapaxes(0, 1))
