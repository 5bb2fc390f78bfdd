import os
import tempfile

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.autograd import Variable
from torch.utils.data import DataLoader

from models import OmniglotModel
from omniglot import ImageCache, MetaOmniglotFolder, split_omniglot, transform_image, transform_label

CLASSES = 3


def build():
    return OmniglotModel(CLASSES)


def forward(net):
    net.eval()
    x = torch.from_numpy(np.random.RandomState(0).uniform(size=(4, 28 * 28)).astype("float32"))
    prob = net(x)
    return {"prob": prob, "predicted": net.predict(prob).float()}


def write_images(folder):
    random = np.random.RandomState(1)
    for alphabet in ("Greek", "Latin"):
        for character in range(4):
            path = os.path.join(folder, alphabet, f"character{character:02d}")
            os.makedirs(path)
            for number in range(6):
                pixels = random.randint(0, 256, (28, 28)).astype("uint8")
                Image.fromarray(pixels).save(os.path.join(path, f"{number:04d}.png"))


def make_infinite(dataloader):
    while True:
        for x in dataloader:
            yield x


cross_entropy = nn.NLLLoss()


def do_learning(net, optimizer, train_iter, iterations):
    net.train()
    for iteration in range(iterations):
        data, labels = [Variable(t) for t in next(train_iter)]
        prediction = net(data)
        loss = cross_entropy(prediction, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def do_evaluation(net, test_iter, iterations):
    losses = []
    accuracies = []
    net.eval()
    for iteration in range(iterations):
        data, labels = [Variable(t) for t in next(test_iter)]
        prediction = net(data)
        loss = cross_entropy(prediction, labels)
        argmax = net.predict(prediction)
        accuracy = (argmax == labels).float().mean()
        losses.append(loss.item())
        accuracies.append(accuracy.item())
    return np.mean(losses), np.mean(accuracies)


def get_optimizer(net, state=None):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, betas=(0.0, 0.999))
    if state is not None:
        optimizer.load_state_dict(state)
    return optimizer


def set_learning_rate(optimizer, lr):
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr


def train(meta_net):
    np.random.seed(2)
    losses, metalosses = [], []
    meta_optimizer = torch.optim.SGD(meta_net.parameters(), lr=1.0)
    state = None
    iterations = 3
    with tempfile.TemporaryDirectory() as folder:
        write_images(folder)
        omniglot = MetaOmniglotFolder(
            folder, size=(28, 28), cache=ImageCache(), transform_image=transform_image, transform_label=transform_label
        )
        # The order in which a system lists files decides nothing.
        omniglot.characters_list = np.array(
            sorted(([name, sorted(paths, key=lambda path: path["path"])] for name, paths in omniglot.characters_list),
                   key=lambda pair: os.path.relpath(pair[0], folder)),
            dtype=object,
        )
        meta_train, meta_test = split_omniglot(omniglot, 0.4)
        for meta_iteration in range(iterations):
            meta_lr = 1.0 * (1.0 - meta_iteration / float(iterations))
            set_learning_rate(meta_optimizer, meta_lr)
            net = meta_net.clone()
            optimizer = get_optimizer(net, state)
            np.random.seed(meta_iteration)  # making a net may draw from the generator that tasks are drawn with
            train_task = meta_train.get_random_task(CLASSES, 2)
            train_iter = make_infinite(DataLoader(train_task, 3, shuffle=False))
            losses.append(do_learning(net, optimizer, train_iter, 3))
            state = optimizer.state_dict()
            meta_net.point_grad_to(net)
            meta_optimizer.step()
        train_task, test_task = meta_test.get_random_task_split(CLASSES, train_K=2, test_K=2)
        train_iter = make_infinite(DataLoader(train_task, 3, shuffle=False))
        test_iter = make_infinite(DataLoader(test_task, 3, shuffle=False))
        net = meta_net.clone()
        optimizer = get_optimizer(net, state)
        losses.append(do_learning(net, optimizer, train_iter, 2))
        metalosses.append(do_evaluation(net, test_iter, 1)[0])
    checkpoint = {
        "meta_net": meta_net.state_dict(),
        "meta_optimizer": meta_optimizer.state_dict(),
        "optimizer": state,
    }
    again = OmniglotModel(CLASSES)
    again.load_state_dict(checkpoint["meta_net"])
    return {
        "losses": losses,
        "metalosses": [float(one) for one in metalosses],
        "conv": again.conv[0].weight,
        "classifier": meta_net.classifier[0].weight,
    }
