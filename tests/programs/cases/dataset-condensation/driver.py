import sys

import numpy as np
import torch
from torch.utils.data import DataLoader

import main
import main_DM
import utils
from networks import ConvNet

CLASSES, SIZE = 3, 16
current = []


def small(channel=3, classes=CLASSES):
    return ConvNet(channel, classes, 8, 2, "relu", "instancenorm", "avgpooling", (SIZE, SIZE))


def build():
    net = small()
    current[:] = [net]
    return net


def images(seed, count):
    rng = np.random.RandomState(seed)
    labels = np.arange(count) % CLASSES
    pictures = rng.randn(count, 3, SIZE, SIZE) + labels[:, None, None, None]
    return utils.TensorDataset(torch.from_numpy(pictures.astype("float32")), torch.from_numpy(labels))


class Pairs(torch.utils.data.Dataset):
    """Pictures with labels that are plain numbers, as torchvision's sets give them."""

    def __init__(self, seed, count):
        self.images = images(seed, count)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image, label = self.images[index]
        return image, int(label)


def data(name, path):
    test = DataLoader(images(2, 6), batch_size=3, shuffle=False, num_workers=0)
    names = [str(number) for number in range(CLASSES)]
    return 3, (SIZE, SIZE), CLASSES, names, [0.5] * 3, [0.2] * 3, Pairs(1, 18), Pairs(2, 6), test


def same_network(model, channel, num_classes, im_size=(32, 32)):
    net = small(channel, num_classes)
    net.load_state_dict(current[0].state_dict())
    return net


def forward(net):
    net.eval()
    pictures, labels = images(0, 4)[0:4]
    return {
        "logits": net(pictures),
        "embedding": lambda: net.embed(pictures),
        "distance": lambda: utils.distance_wb(pictures, 2 * pictures + 1),
        "epoch": lambda: list(
            utils.epoch("test", DataLoader(images(3, 6), batch_size=3), net, None, torch.nn.CrossEntropyLoss(), ARGS, False)
        ),
    }


class Arguments:
    device = "cpu"
    dsa = False


ARGS = Arguments()


def condensed(program, name, extra):
    evaluated = []

    def evaluate(it_eval, net, images_train, labels_train, testloader, args):
        args.epoch_eval_train, args.dc_aug_param = 2, getattr(args, "dc_aug_param", None)
        result = utils.evaluate_synset(it_eval, net, images_train, labels_train, testloader, args)
        evaluated.append(float(result[1]))
        return result

    program.get_dataset, program.get_network, program.evaluate_synset = data, same_network, evaluate
    program.get_loops = lambda ipc: (2, 1)
    program.save_image = lambda *args, **kwargs: None
    sys.argv = [
        "main.py", "--ipc", "2", "--num_exp", "1", "--num_eval", "1", "--Iteration", "2", "--batch_real", "4",
        "--init", "real", "--save_path", name, *extra,
    ]  # fmt: skip
    np.random.seed(0)
    program.main()
    return evaluated


def train(net):
    evaluated = condensed(main, "DC", ["--method", "DC"])
    kept = torch.load("DC/res_DC_CIFAR10_ConvNet_2ipc.pt", weights_only=False)["data"]
    return {
        "evaluated": evaluated,
        "images": kept[0][0],
        "labels": kept[0][1],
        "cosine": lambda: condensed(main, "DC", ["--method", "DC", "--dis_metric", "cos"]),
        "matched": lambda: condensed(main_DM, "DM", ["--dsa_strategy", "None"]),
    }
