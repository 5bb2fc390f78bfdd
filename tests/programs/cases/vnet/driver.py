import io
from argparse import Namespace

import numpy as np
import torch
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Function
from torch.utils.data import DataLoader, TensorDataset

import train as script
import vnet

SIZE = 32


class DiceLoss(Function):
    """That of torchbiomed, which the repository asks for."""

    @staticmethod
    def forward(ctx, input, target):
        eps = 0.00001
        _, result = input.max(1)
        result = result.float()
        target = target.view(target.numel()).float()
        ctx.save_for_backward(result, target)
        intersect = torch.dot(result, target)
        union = torch.sum(result) + torch.sum(target) + 2 * eps
        ctx.intersect, ctx.union = intersect, union
        return (2 * intersect + eps) / union

    @staticmethod
    def backward(ctx, grad_output):
        input, target = ctx.saved_tensors
        dice = target / ctx.union - 2 * input * ctx.intersect / (ctx.union * ctx.union)
        grad_input = torch.stack([dice * -grad_output, dice * grad_output], dim=1)
        return grad_input, None


def dice_error(input, target):
    _, result = input.max(1)
    return 2 * (result == target).float().sum().item() / (result.numel() + target.numel())


script.bioloss.dice_loss = lambda output, target: DiceLoss.apply(output, target)
script.bioloss.dice_error = dice_error


def build():
    return vnet.VNet(elu=False, nll=True), vnet.VNet(elu=True, nll=False)


def loader(count):
    random = np.random.RandomState(0)
    data = torch.from_numpy(random.standard_normal((count, 1, SIZE, SIZE, SIZE)).astype("float32"))
    target = (data[:, 0] > 0.3).long()
    return DataLoader(TensorDataset(data, target), batch_size=1, shuffle=False)


def forward(first, second):
    first.eval()
    second.eval()
    data, _ = next(iter(loader(1)))
    return {"log_softmax": first(data), "softmax": second(data)}


def no_dropout(net):
    for module in net.modules():
        if isinstance(module, torch.nn.Dropout3d):
            module.p = 0.0


def train(first, second):
    args = Namespace(cuda=False)
    weights = torch.FloatTensor([0.4, 0.6])
    for net in (first, second):
        no_dropout(net)
    written = io.StringIO()
    optimizer = optim.SGD(first.parameters(), lr=1e-3, momentum=0.99, weight_decay=1e-8)
    for epoch in (1,):
        script.train_nll(args, epoch, first, loader(1), optimizer, written, weights)
    error = script.test_nll(args, 1, first, loader(1), optimizer, written, weights)
    optimizer = optim.RMSprop(second.parameters(), lr=1e-5, weight_decay=1e-8)
    script.adjust_opt("sgd", optimizer, 150)
    for group in optimizer.param_groups:
        group["lr"] *= 1e-3
    script.train_dice(args, 1, second, loader(1), optimizer, written, weights)
    with torch.no_grad():
        data, target = next(iter(loader(1)))
        loss = F.nll_loss(first(data), target.view(-1))
    values = [float(value) for line in written.getvalue().split() for value in line.split(",")]
    return {
        "losses": values,
        "error": float(error),
        "loss": loss,
        "first": first.in_tr.conv1.weight,
        "second": second.out_tr.conv2.weight,
    }


def init():
    torch.manual_seed(0)
    net = vnet.VNet(elu=False, nll=True)
    net.apply(script.weights_init)
    return {"first": net.in_tr.conv1.weight, "deep": net.down_tr64.ops[0].conv1.weight}
