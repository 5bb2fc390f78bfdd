import mindspore
import numpy


def torch_roi_pool(input, boxes, output_size, spatial_scale=1.0):
    """torchvision's roi_pool: the largest value of each cell of a region. Where it lies is found by NumPy, and then
    taken from there, so that gradients go to these pixels alone."""
    boxes = torch_regions(boxes)
    cells = (output_size, output_size) if isinstance(output_size, int) else output_size
    _, channels, height, width = input.shape
    pixels = input.asnumpy()
    places = numpy.zeros((len(boxes), channels, *cells), numpy.int64)
    filled = numpy.zeros(places.shape, bool)
    corners = boxes.asnumpy().astype(numpy.float32)
    # C rounds halves away from zero.
    scaled = corners[:, 1:] * numpy.float32(spatial_scale)
    scaled = (numpy.sign(scaled) * numpy.floor(numpy.abs(scaled) + numpy.float32(0.5))).astype(int)

    def bounds(start, end, count, size):
        cell = numpy.float32(max(end - start + 1, 1)) / numpy.float32(count)
        steps = numpy.arange(count + 1, dtype=numpy.float32) * cell
        lows = numpy.clip(numpy.floor(steps[:-1]).astype(int) + start, 0, size)
        return list(zip(lows, numpy.clip(numpy.ceil(steps[1:]).astype(int) + start, 0, size)))

    for row, (left, top, right, bottom) in enumerate(scaled):
        image = int(corners[row, 0])
        across = bounds(left, right, cells[1], width)
        for i, (first, last) in enumerate(bounds(top, bottom, cells[0], height)):
            for j, (begin, end) in enumerate(across):
                if last <= first or end <= begin:
                    continue
                inside = pixels[image, :, first:last, begin:end].reshape(channels, -1).argmax(1)
                at = (first + inside // (end - begin)) * width + begin + inside % (end - begin)
                places[row, :, i, j] = (image * channels + numpy.arange(channels)) * height * width + at
                filled[row, :, i, j] = True
    largest = input.reshape(-1)[mindspore.tensor(places.reshape(-1))].reshape(places.shape)
    return largest * mindspore.tensor(filled, input.dtype)
