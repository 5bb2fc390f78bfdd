import numpy as np
import torch
import torch.nn as nn

from MODELS.cbam import CBAM
from MODELS.model_resnet import BasicBlock, ResidualNet, ResNet


def pictures(seed, size=4):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, 32, 32).astype("float32"))


def build():
    return (
        ResNet(BasicBlock, [1, 1, 1, 1], "CIFAR10", 10, att_type="CBAM"),
        ResNet(BasicBlock, [1, 1, 1, 1], "CIFAR10", 10, att_type="BAM"),
        CBAM(8, 2, pool_types=["lp", "lse", "avg", "max"]),
    )


def forward(cbam, bam, block):
    data = torch.from_numpy(np.random.RandomState(2).randn(2, 8, 5, 7).astype("float32"))
    outputs = {}
    for name, net, x in (("cbam", cbam, pictures(7)), ("bam", bam, pictures(8)), ("block", block, data)):
        net.eval()
        outputs[name] = lambda net=net, x=x: net(x)
    return outputs


def accuracy(output, target, topk=(1,)):
    maxk = max(topk)
    batch_size = target.size(0)
    _, pred = output.topk(maxk, 1, True, True)
    pred = pred.t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    res = []
    for k in topk:
        correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
        res.append(correct_k.mul_(100.0 / batch_size))
    return res


def trained(model):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), 1e-3, momentum=0.9, weight_decay=1e-4)
    model = torch.nn.DataParallel(model, device_ids=list(range(0)))
    kept = []
    model.train()
    for step in range(3):
        lr = 1e-3 * (0.1 ** (step // 2))
        for param_group in optimizer.param_groups:
            param_group["lr"] = lr
        input_var = torch.autograd.Variable(pictures(step))
        target_var = torch.autograd.Variable(torch.from_numpy(np.random.RandomState(step).randint(0, 10, 4)))
        output = model(input_var)
        loss = criterion(output, target_var)
        prec1, prec5 = accuracy(output.data, target_var, topk=(1, 5))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept += [loss.item(), prec5[0]]
    torch.save({"state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, "model.pth.tar")
    checkpoint = torch.load("model.pth.tar")
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return kept + [model.module.fc.weight, model.module.conv1.weight, model.module.bn1.running_mean]


def train(cbam, bam, block):
    assert ResidualNet is not None
    return {"cbam": lambda: trained(cbam), "bam": lambda: trained(bam)}
