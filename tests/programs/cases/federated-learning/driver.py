import copy
import os
import sys

import numpy as np
import torch

SRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "src")
sys.path.insert(0, SRC)

from models import MLP, CNNCifar, CNNFashion_Mnist, CNNMnist  # noqa: E402
from options import args_parser  # noqa: E402
from update import DatasetSplit, LocalUpdate, test_inference  # noqa: E402
from utils import average_weights, exp_details, get_dataset  # noqa: E402


def arguments(*given):
    argv = sys.argv
    sys.argv = [
        "federated_main.py",
        "--num_users=2",
        "--frac=1",
        "--local_ep=2",
        "--local_bs=1000",
        "--epochs=2",
        *given,
    ]
    args = args_parser()
    sys.argv = argv
    args.gpu_id = None
    return args


def write_idx(name, array):
    folder = os.path.join(SRC, "..", "data", "fmnist", "MNIST", "raw")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(bytes([0, 0, 8, array.ndim]))
        for size in array.shape:
            file.write(int(size).to_bytes(4, "big"))
        file.write(array.astype("uint8").tobytes())


def data(args):
    """get_dataset reads from beside the folder that the script is started in."""
    for part, count, seed in (("train", 200, 0), ("t10k", 20, 1)):
        rng = np.random.RandomState(seed)
        write_idx(part + "-images-idx3-ubyte", rng.randint(0, 256, (count, 28, 28)))
        write_idx(part + "-labels-idx1-ubyte", rng.randint(0, 10, count))
    before = os.getcwd()
    os.chdir(SRC)
    np.random.seed(3)
    try:
        train_dataset, test_dataset, user_groups = get_dataset(args)
    finally:
        os.chdir(before)
    return train_dataset, test_dataset, {user: sorted(idxs) for user, idxs in user_groups.items()}


def build():
    args = arguments()
    return CNNFashion_Mnist(args), CNNMnist(args), CNNCifar(args), MLP(784, 16, 10)


def images(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(fashion, mnist, cifar, mlp):
    for net in (fashion, mnist, cifar, mlp):
        net.eval()
    args = arguments("--dataset=fmnist")
    train_dataset, _, user_groups = data(args)
    split = DatasetSplit(train_dataset, user_groups[1])
    return {
        "fashion": lambda: fashion(images(0, 2, 1, 28, 28)),
        "mnist": lambda: mnist(images(1, 2, 1, 28, 28)),
        "cifar": lambda: cifar(images(2, 2, 3, 32, 32)),
        "mlp": lambda: mlp(images(3, 2, 1, 28, 28)),
        "groups": lambda: np.array(user_groups[0]),
        "image": lambda: split[3][0],
        "label": lambda: split[5][1].float(),
        "average": lambda: average_weights(
            [mlp.state_dict(), {k: 3 * v for k, v in mlp.state_dict().items()}]
        )["layer_hidden.weight"],
    }


class Logger:
    def __init__(self):
        self.kept = []

    def add_scalar(self, name, value):
        self.kept.append(float(value))


def rounds(global_model, args):
    """The loop of federated_main.py, whose users come in order."""
    logger = Logger()
    train_dataset, test_dataset, user_groups = data(args)
    exp_details(args)
    global_model.train()
    global_weights = global_model.state_dict()
    train_loss, train_accuracy = [], []
    for epoch in range(args.epochs):
        local_weights, local_losses = [], []
        global_model.train()
        m = max(int(args.frac * args.num_users), 1)
        for idx in range(m):
            local_model = LocalUpdate(args=args, dataset=train_dataset, idxs=user_groups[idx], logger=logger)
            w, loss = local_model.update_weights(model=copy.deepcopy(global_model), global_round=epoch)
            local_weights.append(copy.deepcopy(w))
            local_losses.append(copy.deepcopy(loss))
        global_weights = average_weights(local_weights)
        global_model.load_state_dict(global_weights)
        train_loss.append(sum(local_losses) / len(local_losses))
        list_acc = []
        global_model.eval()
        for c in range(args.num_users):
            local_model = LocalUpdate(args=args, dataset=train_dataset, idxs=user_groups[c], logger=logger)
            acc, loss = local_model.inference(model=global_model)
            list_acc.append(acc)
            train_loss.append(loss)
        train_accuracy.append(sum(list_acc) / len(list_acc))
    return train_loss, train_accuracy, logger.kept, test_inference(args, global_model, test_dataset)


def train(fashion, mnist, cifar, mlp):
    torch.manual_seed(4)
    sgd = rounds(fashion, arguments("--dataset=fmnist", "--model=cnn", "--lr=0.05"))
    mlp.dropout.p = 0.0
    mlp.dropout = torch.nn.Identity()
    adam = rounds(mlp, arguments("--dataset=fmnist", "--optimizer=adam", "--local_ep=3", "--verbose=0"))
    return {
        "losses": sgd[0],
        "logged": sgd[2],
        "accuracy": np.array(sgd[1]),
        "test": np.array(sgd[3]),
        "conv": fashion.layer1[0].weight,
        "running_mean": fashion.layer2[1].running_mean,
        "adam": adam[0],
        "adam_logged": adam[2],
        "hidden": mlp.layer_hidden.bias,
    }
