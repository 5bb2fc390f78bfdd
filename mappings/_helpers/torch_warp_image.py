import mindspore
import numpy


def torch_warp_image(img, matrix, size, interpolation, fill):
    """An image as a tensor, each place of which shows the place that the matrix names, counted from the middle."""
    kind = getattr(interpolation, "value", interpolation)
    mode = {0: "nearest", 2: "bilinear"}[kind]
    (height, width), (rows, columns) = img.shape[-2:], size
    places = numpy.ones((rows, columns, 3), numpy.float32)
    places[..., 0] = numpy.arange(columns) - (columns - 1) / 2
    places[..., 1] = (numpy.arange(rows) - (rows - 1) / 2)[:, None]
    halves = numpy.array([[width / 2], [height / 2]], numpy.float32)
    grid = places @ (numpy.array(matrix, numpy.float32).reshape((2, 3)) / halves).T
    planes = img.reshape((-1, *img.shape[-3:])).astype(mindspore.float32)

    def nearest(values):
        # As torch rounds: halves go to the even side.
        x, y = (numpy.rint(((grid[..., i] + 1) * (width, height)[i] - 1) / 2).astype(int) for i in (0, 1))
        outside = (x < 0) | (x >= width) | (y < 0) | (y >= height)
        taken = mindspore.tensor(numpy.where(outside, 0, y * width + x).ravel())
        found = mindspore.ops.gather(values.reshape((*values.shape[:2], -1)), taken, 2)
        found = found.reshape((*values.shape[:2], rows, columns))
        return mindspore.ops.where(mindspore.tensor(outside), 0.0, found)

    def bilinear(values):
        same = mindspore.tensor(numpy.tile(grid, (values.shape[0], 1, 1, 1)))
        return mindspore.ops.grid_sample(values, same, "bilinear", "zeros", align_corners=False)

    sampled = {"nearest": nearest, "bilinear": bilinear}[mode]
    warped = sampled(planes)
    if fill is not None:
        fill = mindspore.tensor(fill, mindspore.float32).reshape((1, -1, 1, 1))
        inside = sampled(mindspore.ops.ones_like(planes[:, :1]))
        if mode == "nearest":
            warped = mindspore.ops.where(inside < 0.5, fill, warped)
        else:
            warped = warped * inside + (1 - inside) * fill
    if not img.is_floating_point():
        warped = warped.round()
    return warped.reshape((*img.shape[:-2], rows, columns)).astype(img.dtype)
