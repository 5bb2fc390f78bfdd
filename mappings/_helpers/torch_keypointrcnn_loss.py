import mindspore


def torch_keypointrcnn_loss(keypoint_logits, proposals, gt_keypoints, keypoint_matched_idxs):
    """torchvision's keypointrcnn_loss: of the places of the points that can be seen."""
    size = keypoint_logits.shape[-1]
    places, seen = [], []
    for boxes, points, chosen in zip(proposals, gt_keypoints, keypoint_matched_idxs):
        points = points[chosen]
        start, end = boxes[:, None, :2], boxes[:, None, 2:]
        place = mindspore.ops.floor((points[..., :2] - start) * (size / (end - start))).astype(
            mindspore.int64
        )
        # What lies on the far edge belongs to the last place.
        place = mindspore.ops.where(points[..., :2] == end, mindspore.ops.full_like(place, size - 1), place)
        x, y = place[..., 0], place[..., 1]
        is_inside = (x >= 0) & (y >= 0) & (x < size) & (y < size)
        is_seen = mindspore.ops.stop_gradient(is_inside & (points[..., 2] > 0))
        places.append(((y * size + x) * is_seen.astype(mindspore.int64)).reshape(-1))
        seen.append(is_seen.reshape(-1))
    seen = mindspore.ops.cat(seen).astype(keypoint_logits.dtype)
    losses = mindspore.ops.cross_entropy(
        keypoint_logits.reshape(len(seen), -1), mindspore.ops.cat(places), reduction="none"
    )
    return (losses * seen).sum() / mindspore.ops.maximum(seen.sum(), mindspore.Tensor(1.0))
