import argparse

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader

from model import small_resnet
from utils import AverageMeter, accuracy, save_checkpoint

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(train_loader, model, criterion, optimizer, epoch):
    losses = AverageMeter()
    top1 = AverageMeter()
    model.train()

    history = []
    for i, (images, target) in enumerate(train_loader):
        images = images.to(device)
        target = target.to(device)

        output = model(images)
        loss = criterion(output, target)

        acc1, acc5 = accuracy(output, target, topk=(1, 5))
        losses.update(loss.item(), images.size(0))
        top1.update(acc1[0], images.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        history.append(loss.item())
        print("Epoch: [{}][{}/{}]\tLoss {:.4f} ({:.4f})".format(epoch, i, len(train_loader), losses.val, losses.avg))
    return history


def validate(val_loader, model, criterion):
    losses = AverageMeter()
    top5 = AverageMeter()
    model.eval()
    with torch.no_grad():
        for images, target in val_loader:
            images, target = images.to(device), target.to(device)
            output = model(images)
            losses.update(criterion(output, target).item(), images.size(0))
            acc5 = accuracy(output, target, topk=(5,))[0]
            top5.update(acc5.item(), images.size(0))
    return losses.avg, top5.avg


def fit(model, train_set, val_set, args):
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=False)
    val_loader = DataLoader(val_set, batch_size=args.batch_size)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=args.weight_decay)
    scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1], gamma=0.1)

    history, best = [], 0
    for epoch in range(args.epochs):
        history += train(train_loader, model, criterion, optimizer, epoch)
        val_loss, acc5 = validate(val_loader, model, criterion)
        scheduler.step()
        if acc5 > best:
            best = acc5
            save_checkpoint({"epoch": epoch + 1, "state_dict": model.state_dict(), "best_acc5": best})
        history.append(val_loss)
    return history, optimizer


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description="Small images")
    parser.add_argument("--epochs", default=2, type=int)
    parser.add_argument("--batch-size", default=8, type=int)
    parser.add_argument("--lr", default=0.01, type=float)
    parser.add_argument("--weight-decay", default=1e-4, type=float)
    return parser.parse_args(argv)


if __name__ == "__main__":
    from torchvision import datasets, transforms

    args = parse_args()
    to_tensor = transforms.ToTensor()
    train_set = datasets.CIFAR10("data", train=True, download=True, transform=to_tensor)
    val_set = datasets.CIFAR10("data", train=False, transform=to_tensor)
    fit(small_resnet().to(device), train_set, val_set, args)
