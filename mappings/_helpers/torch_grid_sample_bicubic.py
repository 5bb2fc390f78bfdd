import mindspore


def torch_grid_sample_bicubic(input, grid, padding_mode="zeros", align_corners=None):
    """PyTorch's functional.grid_sample of images with mode='bicubic': sixteen neighbours weigh each value."""
    count, channels, height, width = input.shape
    pixels = input.reshape(count, channels, height * width)

    def place(coordinate, length):
        return (coordinate + 1) / 2 * (length - 1) if align_corners else ((coordinate + 1) * length - 1) / 2

    def inside(index, length):
        if padding_mode == "reflection":
            low, span = (0.0, length - 1.0) if align_corners else (-0.5, float(length))
            offset = mindspore.ops.abs(index - low)
            turns = mindspore.ops.floor(offset / span) if span else offset * 0
            rest = offset - turns * span
            even = (turns - 2 * mindspore.ops.floor(turns / 2)) == 0
            index = mindspore.ops.where(even, rest + low, span - rest + low)
        return mindspore.ops.clamp(index, 0, length - 1)

    def weights(part):
        def near(distance):
            return (1.25 * distance - 2.25) * distance * distance + 1

        def far(distance):
            return ((-0.75 * distance + 3.75) * distance - 6) * distance + 3

        return far(part + 1), near(part), near(1 - part), far(2 - part)

    x, y = place(grid[..., 0], width), place(grid[..., 1], height)
    left, top = mindspore.ops.floor(x), mindspore.ops.floor(y)
    across, down = weights(x - left), weights(y - top)
    total = 0
    for row in range(4):
        for column in range(4):
            at_x, at_y = left + (column - 1), top + (row - 1)
            near_x, near_y = inside(at_x, width), inside(at_y, height)
            index = (near_y * width + near_x).astype(mindspore.int64).reshape(count, 1, -1)
            values = mindspore.ops.gather_elements(
                pixels, 2, index.broadcast_to((count, channels, index.shape[2]))
            )
            weight = across[column] * down[row]
            if padding_mode == "zeros":
                weight = weight * mindspore.ops.logical_and(at_x == near_x, at_y == near_y).astype(
                    weight.dtype
                )
            total = total + values.reshape(count, channels, *weight.shape[1:]) * weight.expand_dims(1)
    return total
