"""Regions of feature maps and boxes that cover each other, where torchvision's kernels cannot run: the helpers against
the kernels' algorithms, written out point by point."""

import math

import numpy as np
import pytest

from mindport.mapping.helper_source import with_helpers

mindspore = pytest.importorskip("mindspore")
pytestmark = pytest.mark.oracle
HELPERS: dict = {}
names = ("torch_roi_align", "torch_roi_pool", "torch_nms", "torch_batched_nms")
exec(with_helpers("\n".join(f"{name} = {name}" for name in names)), HELPERS)


def pictures():
    return np.random.RandomState(0).randn(2, 3, 9, 12).astype("float32")


def regions(seed=1):
    """Some inside, some over the edges, one of a single point, two that are the wrong way round."""
    rng = np.random.RandomState(seed)
    corners = rng.rand(6, 2, 2) * [40, 34] - 5
    boxes = np.concatenate([np.sort(corners, 1).reshape(6, 4), [[3, 3, 3, 3], [9, 9, 4, 2]]])
    return np.concatenate([rng.randint(0, 2, (8, 1)), boxes], 1).astype("float32")


def point(plane, y, x):
    height, width = plane.shape[1:]
    if y < -1 or y > height or x < -1 or x > width:
        return np.zeros(len(plane))
    y, x = max(y, 0), max(x, 0)
    top, left = min(int(y), height - 1), min(int(x), width - 1)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    down, across = (0 if top == height - 1 else y - top), (0 if left == width - 1 else x - left)
    above = plane[:, top, left] * (1 - across) + plane[:, top, right] * across
    return (
        above * (1 - down) + (plane[:, bottom, left] * (1 - across) + plane[:, bottom, right] * across) * down
    )


def aligned_by_hand(images, boxes, size, scale, ratio, aligned):
    made = np.zeros((len(boxes), images.shape[1], *size))
    for row, (image, *corners) in enumerate(boxes):
        left, top, right, bottom = (
            np.float32(c) * np.float32(scale) - np.float32(0.5 if aligned else 0) for c in corners
        )
        high, wide = bottom - top, right - left
        if not aligned:
            high, wide = max(high, 1), max(wide, 1)
        high, wide = high / size[0], wide / size[1]
        rows, columns = (ratio, ratio) if ratio > 0 else (math.ceil(high), math.ceil(wide))
        for i, j in np.ndindex(*size):
            for k, n in np.ndindex(max(rows, 0), max(columns, 0)):
                y, x = top + i * high + (k + 0.5) * high / rows, left + j * wide + (n + 0.5) * wide / columns
                made[row, :, i, j] += point(images[int(image)], y, x) / (rows * columns)
    return made


def round_as_c(value):
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def pooled_by_hand(images, boxes, size, scale):
    height, width = images.shape[2:]
    made = np.zeros((len(boxes), images.shape[1], *size))
    for row, (image, *corners) in enumerate(boxes):
        left, top, right, bottom = (round_as_c(np.float32(c) * np.float32(scale)) for c in corners)
        high, wide = max(bottom - top + 1, 1) / size[0], max(right - left + 1, 1) / size[1]
        for i, j in np.ndindex(*size):
            rows = slice(
                *(min(max(n + top, 0), height) for n in (math.floor(i * high), math.ceil((i + 1) * high)))
            )
            columns = slice(
                *(min(max(n + left, 0), width) for n in (math.floor(j * wide), math.ceil((j + 1) * wide)))
            )
            cell = images[int(image), :, rows, columns]
            made[row, :, i, j] = cell.max((1, 2)) if cell.size else 0
    return made


@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize(("ratio", "scale"), [(2, 0.25), (0, 0.25), (-1, 0.5)])
def test_averages_of_regions(aligned, ratio, scale):
    images, boxes = pictures(), regions()
    got = HELPERS["torch_roi_align"](
        mindspore.tensor(images), mindspore.tensor(boxes), (3, 2), scale, ratio, aligned
    )
    assert np.allclose(
        got.asnumpy(), aligned_by_hand(images, boxes, (3, 2), scale, ratio, aligned), atol=1e-5
    )


@pytest.mark.parametrize("scale", [0.25, 0.5, 1.0])
def test_largest_values_of_regions(scale):
    images, boxes = pictures(), regions(2)
    got = HELPERS["torch_roi_pool"](mindspore.tensor(images), mindspore.tensor(boxes), (3, 2), scale)
    assert np.allclose(got.asnumpy(), pooled_by_hand(images, boxes, (3, 2), scale))


def test_gradients_go_where_values_come_from():
    images, boxes = pictures(), regions(2)
    pooled = mindspore.grad(lambda x: HELPERS["torch_roi_pool"](x, mindspore.tensor(boxes), 2, 0.25).sum())
    places = pooled(mindspore.tensor(images)).asnumpy()
    assert places.sum() == (pooled_by_hand(images + 100, boxes, (2, 2), 0.25) > 0).sum()
    assert np.allclose((places * images).sum(), pooled_by_hand(images, boxes, (2, 2), 0.25).sum(), atol=1e-4)


def test_no_regions():
    none = mindspore.tensor(np.zeros((0, 5), "float32"))
    for name in ("torch_roi_align", "torch_roi_pool"):
        assert HELPERS[name](mindspore.tensor(pictures()), none, (3, 2), 0.5).shape == (0, 3, 3, 2)


def kept_by_hand(boxes, scores, threshold):
    left, kept = sorted(range(len(boxes)), key=lambda i: -scores[i]), []
    while left:
        best = left.pop(0)
        kept.append(best)

        def covered(other, best=best):
            low, high = (
                np.maximum(boxes[best, :2], boxes[other, :2]),
                np.minimum(boxes[best, 2:], boxes[other, 2:]),
            )
            common = np.prod(np.maximum(high - low, 0))
            areas = [np.prod(boxes[one, 2:] - boxes[one, :2]) for one in (best, other)]
            return common / (sum(areas) - common) > threshold

        left = [one for one in left if not covered(one)]
    return kept


@pytest.mark.parametrize("seed", range(4))
def test_boxes_that_are_kept(seed):
    rng = np.random.RandomState(seed)
    corners = rng.rand(40, 2) * 30
    boxes = np.concatenate([corners, corners + rng.rand(40, 2) * 20], 1).astype("float32")
    scores = rng.randint(0, 9, 40).astype("float32")  # many are equal
    got = HELPERS["torch_nms"](mindspore.tensor(boxes), mindspore.tensor(scores), 0.4)
    assert got.dtype == mindspore.int64 and got.tolist() == kept_by_hand(boxes, scores, 0.4)
    kinds = rng.randint(0, 3, 40)
    within = HELPERS["torch_batched_nms"](
        mindspore.tensor(boxes), mindspore.tensor(scores), mindspore.tensor(kinds), 0.4
    )
    assert within.tolist() == kept_by_hand(boxes + kinds[:, None] * (boxes.max() + 1), scores, 0.4)


def test_no_boxes():
    none = mindspore.tensor(np.zeros((0, 4), "float32"))
    empty = mindspore.tensor(np.zeros(0, "float32"))
    assert HELPERS["torch_nms"](none, empty, 0.5).shape == (0,)
    assert HELPERS["torch_batched_nms"](none, empty, empty, 0.5).shape == (0,)
