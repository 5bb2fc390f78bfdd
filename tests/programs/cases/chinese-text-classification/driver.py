import os
import tempfile
from importlib import import_module

import numpy as np
import torch
import torch.nn.functional as F

from train_eval import evaluate, init_network, train as fit
from utils import build_iterator

NAMES = ("TextRCNN", "TextRNN_Att", "Transformer", "DPCNN")
WORDS, CLASSES, LENGTH = 40, 4, 16
FOLDER = tempfile.mkdtemp()


def settings(name):
    """The configuration of a model of the repository, small and without dropout."""
    data = os.path.join(FOLDER, "data")
    os.makedirs(data, exist_ok=True)
    os.makedirs(os.path.join(FOLDER, "saved_dict"), exist_ok=True)
    with open(os.path.join(data, "class.txt"), "w") as file:
        file.write("\n".join("class%d" % i for i in range(CLASSES)))
    vectors = np.random.RandomState(3).randn(WORDS, 20)
    np.savez(os.path.join(data, "vectors.npz"), embeddings=vectors)
    x = import_module("models." + name)
    config = x.Config(FOLDER, "vectors.npz" if name == "TextRCNN" else "random")
    config.n_vocab = WORDS
    config.dropout = 0.0
    config.embed = config.dim_model = 20
    config.hidden_size, config.hidden_size2, config.hidden, config.num_filters = 10, 8, 16, 12
    config.pad_size, config.batch_size, config.num_epochs = LENGTH, 4, 1
    return x, config


def build():
    nets = []
    for name in NAMES:
        x, config = settings(name)
        model = x.Model(config).to(config.device)
        if name != "Transformer":
            init_network(model)
        nets.append(model)
    return tuple(nets)


def texts(seed, count):
    random = np.random.RandomState(seed)
    items = []
    for _ in range(count):
        items.append((random.randint(0, WORDS, LENGTH).tolist(), int(random.randint(CLASSES)), LENGTH))
    return items


def scored(net, name):
    config = settings(name)[1]
    accuracy, loss = evaluate(config, net, build_iterator(texts(5, 8), config))
    return [torch.tensor(accuracy), loss]


def forward(*nets):
    outputs = {}
    for name, net in zip(NAMES, nets):
        net.eval()
        config = settings(name)[1]
        (x, lengths), y = next(build_iterator(texts(0, 4), config))
        outputs[name] = net((x, lengths))
        outputs[name + "_loss"] = F.cross_entropy(net((x, lengths)), y)
        outputs[name + "_score"] = lambda net=net, name=name: scored(net, name)
    return outputs


def train(*nets):
    """Three batches of train_eval.train, which evaluates, keeps and loads the weights besides."""
    result = {}
    for name, net in zip(NAMES, nets):
        config = settings(name)[1]
        fit(
            config,
            net,
            build_iterator(texts(1, 12), config),
            build_iterator(texts(2, 8), config),
            build_iterator([(words, i % CLASSES, n) for i, (words, _, n) in enumerate(texts(3, 8))], config),
        )
        fit_more(config, net)
        result[name + "_score"] = scored(net, name)
        for key, value in net.named_parameters():
            if key in ("embedding.weight", "fc.weight", "fc1.weight", "w", "conv.weight"):
                result[name + "_" + key] = value
    return result


def fit_more(config, net):
    """The steps once more: at the end of train_eval.train the weights are those after its first step."""
    net.train()
    optimizer = torch.optim.Adam(net.parameters(), lr=config.learning_rate)
    for trains, labels in build_iterator(texts(1, 12), config):
        outputs = net(trains)
        net.zero_grad()
        loss = F.cross_entropy(outputs, labels)
        loss.backward()
        optimizer.step()


def init():
    nets = build()
    return {
        "lstm": nets[0].lstm.weight_ih_l0,
        "conv": nets[3].conv.weight,
        "fc_q": nets[2].encoders[0].attention.fc_Q.weight,
    }
