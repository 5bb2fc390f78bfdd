import mindspore
import numpy


def torch_roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    """torchvision's roi_align: averages of points in the cells of a region, read between the pixels. As there, no
    gradient goes to the boxes."""
    boxes = torch_regions(boxes)
    cells = (output_size, output_size) if isinstance(output_size, int) else output_size
    corners = boxes.asnumpy().astype(numpy.float32)
    images = corners[:, 0].astype(int)
    corners = corners[:, 1:] * numpy.float32(spatial_scale) - numpy.float32(0.5 if aligned else 0.0)

    def weights(start, end, count, size):
        """How much each pixel of an axis counts in each cell of each region."""
        length = end - start if aligned else numpy.maximum(end - start, numpy.float32(1.0))
        cell = length / numpy.float32(count)
        points = numpy.full(len(cell), sampling_ratio) if sampling_ratio > 0 else numpy.ceil(cell).astype(int)
        made = numpy.zeros((len(cell), count, size), numpy.float32)
        for row, each in enumerate(points):
            if each < 1:
                continue
            steps = (numpy.arange(each, dtype=numpy.float32) + numpy.float32(0.5)) * (
                cell[row] / numpy.float32(each)
            )
            places = start[row] + numpy.arange(count, dtype=numpy.float32)[:, None] * cell[row] + steps
            inside = (places >= -1) & (places <= size)
            places = numpy.clip(places, 0, size - 1)
            low = places.astype(int)
            share = (places - low) * inside / each
            columns = numpy.arange(count)[:, None]
            numpy.add.at(made[row], (columns, low), inside / each - share)
            numpy.add.at(made[row], (columns, numpy.minimum(low + 1, size - 1)), share)
        return made

    _, channels, height, width = input.shape
    vertical = weights(corners[:, 1], corners[:, 3], cells[0], height)
    horizontal = weights(corners[:, 0], corners[:, 2], cells[1], width)
    pooled, order = [], []
    for image in numpy.unique(images):
        rows = numpy.flatnonzero(images == image)
        both = (vertical[rows][:, :, None, :, None] * horizontal[rows][:, None, :, None]).reshape(
            -1, height * width
        )
        pixels = input[int(image)].reshape(channels, height * width)
        both = mindspore.tensor(both, pixels.dtype)
        pooled.append(mindspore.ops.matmul(both, pixels.swapaxes(0, 1)).reshape(len(rows), *cells, channels))
        order.append(rows)
    if not pooled:
        return mindspore.ops.zeros((0, channels, *cells), input.dtype)
    joined = mindspore.ops.cat(pooled) if len(pooled) > 1 else pooled[0]
    if len(pooled) > 1:
        joined = joined[mindspore.tensor(numpy.argsort(numpy.concatenate(order)))]
    return joined.permute(0, 3, 1, 2)
