import mindspore
import numpy


def torch_nms(boxes, scores, iou_threshold):
    """torchvision's nms: the indices of the boxes that no better one covers, the best first."""
    corners = boxes.asnumpy()
    areas = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    order = numpy.argsort(-scores.asnumpy(), kind="stable")
    kept = []
    while len(order):
        best, order = order[0], order[1:]
        kept.append(best)
        sides = numpy.minimum(corners[best, 2:], corners[order, 2:]) - numpy.maximum(
            corners[best, :2], corners[order, :2]
        )
        common = numpy.maximum(sides, 0).prod(1)
        order = order[~(common / (areas[best] + areas[order] - common) > iou_threshold)]
    return mindspore.tensor(numpy.array(kept, numpy.int64))
