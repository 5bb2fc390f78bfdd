import os
import pickle
import gzip
import sys
import tempfile
import types

import numpy as np
import torch
from scipy.io import savemat

sys.path.insert(0, "classification")

import solver as program  # noqa: E402
from model import syn2gtrsb, usps  # noqa: E402
from model.build_gen import Classifier, Generator  # noqa: E402
from model.grad_reverse import grad_reverse  # noqa: E402
from utils.utils import dense_to_one_hot, weights_init  # noqa: E402


def build():
    return Generator("usps", "mnist"), Classifier("usps", "mnist"), Classifier("usps", "mnist"), syn2gtrsb.Feature()


def init():
    torch.manual_seed(1)
    net = usps.Feature()
    net.apply(weights_init)
    return {"conv": net.conv2.weight, "bias": net.conv2.bias, "norm": net.bn2.weight, "linear": usps.Predictor().fc1.weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(g, c1, c2, signs):
    for one in (g, c1, c2, signs):
        one.eval()

    def reversed_gradient():
        x = array(3, 4, 5).requires_grad_()
        (grad_reverse(x, 0.5) * array(4, 4, 5)).sum().backward()
        return x.grad

    return {
        "features": lambda: g(array(1, 4, 3, 28, 28)),
        "classes": lambda: [c(g(array(2, 4, 3, 28, 28))) for c in (c1, c2)],
        "signs": lambda: signs(array(5, 2, 3, 40, 40)),
        "reversed": reversed_gradient,
        "labels": lambda: dense_to_one_hot(np.array([10, 3, 4])),
    }


def written(rows=10):
    """The two data sets, as their files hold them."""
    draw = np.random.RandomState(0)
    os.makedirs("data")
    os.makedirs("here")
    usual = [(draw.rand(rows, 784).astype("float32"), draw.randint(0, 10, rows)) for _ in range(2)]
    with gzip.open("here/usps.pkl", "wb") as file:
        pickle.dump(usual, file)
    os.makedirs("here/data")
    os.rename("here/usps.pkl", "here/data/usps_28x28.pkl")
    savemat(
        "data/mnist_data.mat",
        {
            "train_28": draw.randint(0, 255, (rows, 28, 28, 1)),
            "test_28": draw.randint(0, 255, (rows, 28, 28, 1)),
            "label_train": np.eye(10)[draw.randint(0, 10, rows)],
            "label_test": np.eye(10)[draw.randint(0, 10, rows)],
        },
    )
    os.chdir("here")


def solver_of(g, c1, c2, **settings):
    np.random.seed(3)
    left = [c1, c2]
    program.Generator = lambda source, target: g
    program.Classifier = lambda source, target: left.pop(0)
    arguments = types.SimpleNamespace(use_abs_diff=False, eval_only=False, resume_epoch=0)
    return program.Solver(arguments, batch_size=4, source="usps", target="mnist", all_use="no", interval=1,
                          checkpoint_dir=".", save_epoch=1, num_k=2, **settings)  # fmt: skip


def read(name):
    with open(name) as file:
        return [[float(word) for word in line.split()] for line in file]


def train(g, c1, c2, signs):
    folder = os.getcwd()
    results = {}
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        try:
            written()
            one = solver_of(g, c1, c2, learning_rate=2e-4)
            results["batches"] = [one.train(epoch, record_file="record.txt") for epoch in range(2)]
            one.test(1, record_file="test.txt", save_model=True)
            results["first"] = g.conv1.weight.detach().clone()
            results["classifier"] = c2.fc3.weight.detach().clone()
            results["losses"], results["tested"] = read("record.txt"), read("test.txt")
            again = torch.load("./usps_to_mnist_model_epoch1_C1.pt", weights_only=False)
            results["again"] = again.eval()(array(6, 3, 768))
            two = solver_of(g, c1, c2, learning_rate=0.01, optimizer="momentum")
            two.train_onestep(0, record_file="onestep.txt")
            results["onestep"] = read("onestep.txt")
            results["entropy"] = two.ent(torch.sigmoid(array(7, 3, 4)))
        finally:
            os.chdir(folder)
    return {
        **results,
        "g": g.conv2.weight,
        "mean": g.bn2.running_mean,
        "variance": c1.bn1_fc.running_var,
        "c1": c1.fc2.weight,
        "c2": c2.fc3.weight,
        "lambda": c2.lambd,
    }
