import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))

import numpy as np
import torch
from torch.utils.data import Dataset

from base.torchvision_dataset import TorchvisionDataset
from deepSVDD import DeepSVDD
from networks.main import build_autoencoder, build_network


class Pictures(Dataset):
    def __init__(self, seed, shape, size=10):
        rng = np.random.RandomState(seed)
        self.data = torch.from_numpy(rng.rand(size, *shape).astype("float32"))
        self.labels = [index % 2 for index in range(size)]

    def __getitem__(self, index):
        return self.data[index], self.labels[index], index

    def __len__(self):
        return len(self.labels)


class MadeUp(TorchvisionDataset):
    def __init__(self, shape):
        super().__init__("")
        self.train_set, self.test_set = Pictures(0, shape), Pictures(1, shape)

    def loaders(self, batch_size, shuffle_train=True, shuffle_test=False, num_workers=0):
        return super().loaders(batch_size, shuffle_train=False, shuffle_test=shuffle_test, num_workers=num_workers)


def build():
    return build_network("mnist_LeNet"), build_autoencoder("mnist_LeNet"), build_network("cifar10_LeNet_ELU")


def forward(mnist, coder, cifar):
    small, large = Pictures(5, (1, 28, 28)).data, Pictures(5, (3, 32, 32)).data
    outputs = {}
    for name, net, data in (("mnist", mnist, small), ("coder", coder, small), ("cifar", cifar, large)):
        net.eval()
        outputs[name] = lambda net=net, data=data: net(data)
    return outputs


def trained(net, coder, shape, objective, path):
    svdd = DeepSVDD(objective, nu=0.1)
    svdd.net_name, svdd.net = "mnist_LeNet", net
    data = MadeUp(shape)
    if coder is not None:
        import deepSVDD as module

        module.build_autoencoder = lambda name: coder
        svdd.pretrain(data, lr=1e-3, n_epochs=2, lr_milestones=(1,), batch_size=5, device="cpu")
    svdd.train(data, lr=1e-3, n_epochs=12, lr_milestones=(3,), batch_size=5, device="cpu", optimizer_name="amsgrad")
    svdd.test(data, device="cpu")
    svdd.save_model(path, save_ae=coder is not None)
    other = DeepSVDD(objective)
    other.set_network(svdd.net_name if coder is not None else "cifar10_LeNet_ELU")
    other.load_model(path)
    scores = [score for _, _, score in svdd.results["test_scores"]]
    return [svdd.R, svdd.c, svdd.results["test_auc"], scores, net.fc1.weight, other.net.fc1.weight, other.R]


def train(mnist, coder, cifar):
    return {
        "soft": lambda: trained(mnist, coder, (1, 28, 28), "soft-boundary", "soft.tar"),
        "one": lambda: trained(cifar, None, (3, 32, 32), "one-class", "one.tar"),
    }
