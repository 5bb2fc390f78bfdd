import os
import sys
import tempfile

import numpy as np
import torch
from scipy.io import savemat

from TCN.adding_problem.model import TCN as AddingTCN
from TCN.adding_problem.utils import data_generator as adding_data
from TCN.char_cnn.model import TCN as CharTCN
from TCN.copy_memory.model import TCN as CopyTCN
from TCN.mnist_pixel.model import TCN as PixelTCN


def write_files(folder):
    rng = np.random.RandomState(0)
    words = ["alpha", "beta", "gamma", "delta", "omega"]
    for name, lines in (("train", 24), ("valid", 30), ("test", 30)):
        with open(os.path.join(folder, name + ".txt"), "w") as file:
            for _ in range(lines):
                file.write(" ".join(words[i] for i in rng.randint(0, 5, 6)) + "\n")
    os.makedirs(os.path.join(folder, "mdata"))
    pieces = {}
    for name, count in (("traindata", 3), ("validdata", 2), ("testdata", 2)):
        pieces[name] = np.empty((1, count), dtype=object)
        for i in range(count):
            pieces[name][0, i] = (rng.rand(9 + i, 88) < 0.1).astype("uint8")
    savemat(os.path.join(folder, "mdata", "Nottingham.mat"), pieces)


# The scripts read the command line and their data when they are imported.
folder, here, arguments = tempfile.mkdtemp(), os.getcwd(), sys.argv
write_files(folder)
os.chdir(folder)
try:
    sys.argv = ["music_test.py", "--cuda", "--dropout", "0", "--levels", "2", "--nhid", "10", "--ksize", "3", "--lr", "1e-4"]
    from TCN.poly_music import music_test

    sys.argv = (
        "word_cnn_test.py --cuda --dropout 0 --emb_dropout 0 --batch_size 2 --levels 3 --nhid 12 --emsize 8 "
        "--seq_len 16 --validseqlen 10 --log-interval 2 --tied --optim SGD --lr 0.05 --data"
    ).split() + [folder]
    from TCN.word_cnn import word_cnn_test
finally:
    sys.argv = arguments
    os.chdir(here)


def build():
    return (
        music_test.model,
        word_cnn_test.model,
        AddingTCN(2, 1, [6, 6, 5], kernel_size=3, dropout=0.0),
        CharTCN(8, 11, [12, 8], kernel_size=2, dropout=0.1, emb_dropout=0.1),
        CopyTCN(1, 10, [6, 6], kernel_size=4, dropout=0.05),
        PixelTCN(1, 10, [6] * 3, kernel_size=7, dropout=0.05),
    )


def init():
    torch.manual_seed(3)
    fresh = AddingTCN(8, 20, [24, 24], kernel_size=5, dropout=0.0)
    block = fresh.tcn.network[0]
    return {"conv": block.conv1.weight, "v": block.conv2.weight_v, "down": block.downsample.weight}


def tensor(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(music, word, adding, char, copying, pixel):
    for net in (music, word, adding, char, copying, pixel):
        net.eval()
    return {
        "music": music(tensor(0, 2, 7, 88)),
        "word": word(torch.from_numpy(np.random.RandomState(1).randint(0, 6, (2, 9)))),
        "adding": adding(tensor(2, 3, 2, 20)),
        "char": lambda: char(torch.from_numpy(np.random.RandomState(3).randint(0, 11, (2, 12)))),
        "copying": lambda: copying(tensor(4, 2, 1, 15)),
        "pixel": lambda: pixel(tensor(5, 2, 1, 40)),
        "batched": lambda: word_cnn_test.train_data,
    }


def added(model):
    """The loop of add_test.py, which trains as soon as it is imported."""
    torch.manual_seed(0)
    np.random.seed(1)
    x, _ = adding_data(6, 20)
    np.random.seed(2)
    _, shape = adding_data(6, 20)
    numbers = tensor(8, *x.shape)
    target = (numbers[:, 0] * x[:, 1]).sum(1, keepdim=True).view_as(shape)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-4)
    model.train()
    losses = []
    for i in range(0, 6, 2):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(numbers[i : i + 2]), target[i : i + 2])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(music, word, adding, char, copying, pixel):
    np.random.seed(0)
    music_test.train(1)
    word_cnn_test.epoch = 1
    word_cnn_test.train()
    for group in word_cnn_test.optimizer.param_groups:
        group["lr"] = 0.02
    word_cnn_test.train()
    return {
        "added": np.array(added(adding)),
        "music": music_test.evaluate(music_test.X_valid, name="Validation"),
        "word": word_cnn_test.evaluate(word_cnn_test.val_data),
        "music_v": music.tcn.network[0].conv1.weight_v,
        "word_g": word.tcn.network[1].conv2.weight_g,
        "tied": word.decoder.weight,
    }
