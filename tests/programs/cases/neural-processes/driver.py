import random

import numpy as np
import torch
from torch.utils.data import DataLoader

from datasets import SineData
from neural_process import NeuralProcess, NeuralProcessImg
from training import NeuralProcessTrainer
from utils import batch_context_target_mask, context_target_split, img_mask_to_np_input, inpaint, xy_to_img

SIZE = (3, 8, 8)


def build():
    return NeuralProcess(1, 1, 6, 5, 7), NeuralProcessImg(SIZE, 6, 5, 7)


def init():
    torch.manual_seed(1)
    net = NeuralProcess(1, 1, 30, 30, 40)
    return {
        "encoder": net.xy_to_r.input_to_hidden[2].weight,
        "mu": net.r_to_mu_sigma.hidden_to_mu.weight,
        "decoder": net.xz_to_y.xz_to_hidden[0].weight,
        "sigma": net.xz_to_y.hidden_to_sigma.bias,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def split():
    np.random.seed(3)
    return context_target_split(array(0, 2, 9, 1), array(1, 2, 9, 1), 3, 4)


def masks(rows=2, repeat=False):
    np.random.seed(4)
    return batch_context_target_mask(SIZE, 10, 15, rows, repeat)


def pictured():
    x, y = img_mask_to_np_input(array(2, 2, *SIZE), masks()[1])
    return [x, y, xy_to_img(x, y, SIZE)]


def predicted(net):
    net.eval()
    guess = net(array(3, 2, 4, 1), array(4, 2, 4, 1), array(5, 2, 6, 1))
    return [guess.loc, guess.scale, guess.log_prob(array(6, 2, 6, 1))]


def trained(net):
    net.train()
    found = net(array(3, 2, 4, 1), array(4, 2, 4, 1), array(5, 2, 6, 1), array(6, 2, 6, 1))
    return [part for one in found for part in (one.mean, one.stddev)]


def forward(net, images):
    return {
        "split": split,
        "masks": lambda: list(masks()),
        "repeated": lambda: list(masks(3, True)),
        "pictured": pictured,
        "predicted": lambda: predicted(net),
        "trained": lambda: trained(net),
        "images": lambda: images(array(7, 2, *SIZE), *masks())[0].loc,
        "inpaint": lambda: inpaint(images, array(8, *SIZE), masks()[0][0], torch.device("cpu")),
        "training": lambda: images.neural_process.training,
    }


def train(net, images):
    device = torch.device("cpu")
    np.random.seed(5)
    random.seed(6)
    loader = DataLoader(SineData(num_samples=6, num_points=12), batch_size=2, shuffle=False)
    trainer = NeuralProcessTrainer(device, net, torch.optim.Adam(net.parameters(), lr=1e-3), (2, 4), (2, 5), print_freq=2)
    net.training = True
    trainer.train(loader, 2)
    pairs = [(array(10 + step, 2, *SIZE), torch.zeros(2)) for step in range(3)]
    painter = NeuralProcessTrainer(device, images, torch.optim.Adam(images.parameters(), lr=1e-3), (8, 10), (8, 20), print_freq=1)
    painter.train(pairs, 2)
    return {
        "losses": trainer.epoch_loss_history,
        "image_losses": painter.epoch_loss_history,
        "steps": [trainer.steps, painter.steps],
        "encoder": net.xy_to_r.input_to_hidden[0].weight,
        "sigma": net.r_to_mu_sigma.hidden_to_sigma.weight,
        "decoder": images.neural_process.xz_to_y.hidden_to_mu.weight,
    }
