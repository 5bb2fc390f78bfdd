"""Losses of the detector."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def sigmoid_focal_loss(logits, targets, alpha=0.25, gamma=2.0, reduction="mean"):
    """Focal loss on logits; `targets` has the shape of `logits`."""
    probability = torch.sigmoid(logits)
    cross_entropy = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    p_t = probability * targets + (1 - probability) * (1 - targets)
    loss = cross_entropy * (1 - p_t) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    if reduction == "mean":
        return loss.mean()
    return loss.sum() if reduction == "sum" else loss


def generalised_iou(boxes, targets, eps=1e-7):
    """Generalised intersection over union of boxes given as centre and size, shape (n, 4)."""
    top_left = boxes[:, :2] - boxes[:, 2:] / 2
    bottom_right = boxes[:, :2] + boxes[:, 2:] / 2
    target_top_left = targets[:, :2] - targets[:, 2:] / 2
    target_bottom_right = targets[:, :2] + targets[:, 2:] / 2
    overlap = (torch.min(bottom_right, target_bottom_right) - torch.max(top_left, target_top_left)).clamp_(min=0).prod(1)
    union = boxes[:, 2:].prod(1) + targets[:, 2:].prod(1) - overlap
    hull = (torch.max(bottom_right, target_bottom_right) - torch.min(top_left, target_top_left)).clamp(min=0).prod(1)
    return overlap / (union + eps) - (hull - union) / (hull + eps)


class DetectionLoss(nn.Module):
    """Objectness over all cells; box and class over the cells that hold an object."""

    def __init__(self, classes, smoothing=0.0):
        super().__init__()
        self.classes = classes
        self.class_loss = nn.CrossEntropyLoss(label_smoothing=smoothing, reduction="sum")
        self.l1 = nn.SmoothL1Loss()

    def forward(self, predictions, boxes, labels, mask):
        objectness = sigmoid_focal_loss(predictions[..., 4], mask.float())
        if not mask.any():
            return objectness
        positive, target = predictions[mask], boxes[mask]
        box = (1 - generalised_iou(positive[:, :4], target)).sum() + self.l1(positive[:, :4], target)
        classes = self.class_loss(positive[:, 5:], labels[mask])
        count = mask.sum().item()
        spread = predictions[..., :2].std(dim=1).mean()
        return objectness + (box + classes) / max(count, 1) + 1e-4 * spread
