import cifar
import models.cifar as models
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def build():
    return models.resnet(num_classes=10, depth=20, block_name="BasicBlock")


def pictures(seed, count):
    random = np.random.RandomState(seed)
    inputs = torch.from_numpy(random.randn(count, 3, 32, 32).astype("float32"))
    targets = torch.from_numpy(random.randint(0, 10, (count,)).astype("int64"))
    return inputs, targets


def forward(model):
    model.eval()
    inputs, targets = pictures(0, 4)
    with torch.no_grad():
        outputs = model(inputs)
    return {"outputs": outputs, "loss": nn.CrossEntropyLoss()(outputs, targets)}


def train(model):
    trainloader = DataLoader(TensorDataset(*pictures(1, 16)), batch_size=8, shuffle=False)
    testloader = DataLoader(TensorDataset(*pictures(2, 8)), batch_size=8, shuffle=False)
    criterion = nn.CrossEntropyLoss()
    cifar.args.schedule = [1]
    cifar.state["lr"] = 0.01
    optimizer = optim.SGD(
        model.parameters(), lr=0.01, momentum=cifar.args.momentum, weight_decay=cifar.args.weight_decay
    )
    losses, precisions = [], []
    for epoch in range(2):
        cifar.adjust_learning_rate(optimizer, epoch)
        train_loss, train_acc = cifar.train(trainloader, model, criterion, optimizer, epoch, use_cuda=False)
        test_loss, test_acc = cifar.test(testloader, model, criterion, epoch, use_cuda=False)
        losses += [train_loss, test_loss]
        precisions += [float(train_acc), float(test_acc)]
    return {
        "losses": losses,
        "precisions": precisions,
        "weight": model.fc.weight,
        "first": model.conv1.weight,
        "running_var": model.bn1.running_var,
    }


def init():
    net = models.densenet(num_classes=10, depth=22, growthRate=12, compressionRate=2, dropRate=0)
    return {"conv": net.conv1.weight, "dense": net.dense2[0].conv2.weight, "fc": net.fc.weight}
