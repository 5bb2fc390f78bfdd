import torch
import torch.nn as nn
import torch.nn.functional as F


def dice_coeff(input, target, epsilon=1e-6):
    assert input.size() == target.size()
    inter = 2 * (input * target).sum(dim=(-1, -2))
    sets_sum = input.sum(dim=(-1, -2)) + target.sum(dim=(-1, -2))
    sets_sum = torch.where(sets_sum == 0, inter, sets_sum)
    dice = (inter + epsilon) / (sets_sum + epsilon)
    return dice.mean()


class DiceLoss(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.n_classes = n_classes

    def forward(self, logits, target):
        probs = F.softmax(logits, dim=1).float()
        one_hot = F.one_hot(target, self.n_classes).permute(0, 3, 1, 2).float()
        return 1 - dice_coeff(probs.flatten(0, 1), one_hot.flatten(0, 1))
