"""The sigmoid focal loss of detectors, as functions that say nothing of types, and a module around them."""

import torch.nn as nn
import torch.nn.functional as F


def reduced(loss, reduction):
    number = F._Reduction.get_enum(reduction)
    if number == 0:
        return loss
    elif number == 1:
        return loss.mean()
    elif number == 2:
        return loss.sum()


def weighted(loss, weight=None, reduction='mean', avg_factor=None):
    if weight is not None:
        loss = loss * weight
    if avg_factor is None:
        loss = reduced(loss, reduction)
    elif reduction == 'mean':
        loss = loss.sum() / avg_factor  # the average over the positive samples
    elif reduction != 'none':
        raise ValueError('a sum has no average factor')
    return loss


def sigmoid_focal_loss(logits, labels, weight=None, gamma=2.0, alpha=0.25, reduction='mean', avg_factor=None):
    probability = logits.sigmoid()
    labels = labels.type_as(logits)
    miss = (1 - probability) * labels + probability * (1 - labels)
    focus = (alpha * labels + (1 - alpha) *
             (1 - labels)) * miss.pow(gamma)
    loss = F.binary_cross_entropy_with_logits(
        logits, labels, reduction='none') * focus
    if weight is not None:
        if weight.shape != loss.shape:
            if weight.size(0) == loss.size(0):
                weight = weight.view(-1, 1)  # one weight for all classes of a sample
            else:
                assert weight.numel() == loss.numel()
                weight = weight.view(loss.size(0), -1)
        assert weight.ndim == loss.ndim
    return weighted(loss, weight, reduction, avg_factor)


class SigmoidFocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=0.25, reduction='mean', avg_factor=None):
        super().__init__()
        self.gamma = gamma
        self.alpha = alpha
        self.reduction = reduction
        self.avg_factor = avg_factor

    def forward(self, logits, labels, weight=None):
        return sigmoid_focal_loss(
            logits, labels, weight, self.gamma, self.alpha, self.reduction, self.avg_factor)
