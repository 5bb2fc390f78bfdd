def torch_batched_nms(boxes, scores, idxs, iou_threshold):
    """torchvision's batched_nms: nms within every class. Boxes of different classes are moved apart."""
    if boxes.shape[0] == 0:
        return torch_nms(boxes, scores, iou_threshold)
    offsets = idxs.astype(boxes.dtype) * (boxes.max() + 1)
    return torch_nms(boxes + offsets[:, None], scores, iou_threshold)
