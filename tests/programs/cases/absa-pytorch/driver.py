import argparse
import pickle

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

import data_utils
import models
from train import Instructor

COLUMNS = {
    "ian": ["text_indices", "aspect_indices"],
    "ram": ["text_indices", "aspect_indices", "left_indices"],
    "tnet_lf": ["text_indices", "aspect_indices", "aspect_boundary"],
    "asgcn": ["text_indices", "aspect_indices", "left_indices", "dependency_graph"],
    "cabasc": ["text_indices", "aspect_indices", "left_with_aspect_indices", "right_with_aspect_indices"],
    "memnet": ["context_indices", "aspect_indices"],
    "td_lstm": ["left_with_aspect_indices", "right_with_aspect_indices"],
}
CLASSES = {
    "ian": models.IAN, "ram": models.RAM, "tnet_lf": models.TNet_LF, "asgcn": models.ASGCN, "cabasc": models.Cabasc,
    "memnet": models.MemNet, "td_lstm": models.TD_LSTM,
}  # fmt: skip
WORDS = [f"w{number}" for number in range(30)]


def write_data():
    rng = np.random.RandomState(0)
    for part, size in (("train", 8), ("test", 5)):
        lines, graphs = [], {}
        for sentence in range(size):
            left, aspect, right = (
                [WORDS[word] for word in rng.randint(0, 30, rng.randint(1, most))] for most in (5, 3, 5)
            )
            lines += [
                " ".join([*left, "$T$", *right]), " ".join(aspect), str(rng.randint(-1, 2)),
            ]  # fmt: skip
            length = len(left) + len(aspect) + len(right)
            graphs[sentence * 3] = (rng.rand(length, length) < 0.4).astype("float32")
        with open(f"{part}.raw", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        with open(f"{part}.raw.graph", "wb") as file:
            pickle.dump(graphs, file)
    tokenizer = data_utils.build_tokenizer(["train.raw", "test.raw"], 14, "made_tokenizer.dat")
    matrix = rng.randn(len(tokenizer.word2idx) + 2, 12)
    matrix[0] = 0
    with open("12_made_embedding_matrix.dat", "wb") as file:
        pickle.dump(matrix, file)


write_data()


def options(name):
    return argparse.Namespace(
        model_name=name, dataset="made", dataset_file={"train": "train.raw", "test": "test.raw"}, max_seq_len=14,
        embed_dim=12, hidden_dim=8, polarities_dim=3, hops=3, dropout=0.0, valset_ratio=0, batch_size=8, num_epoch=3,
        log_step=2, patience=5, lr=0.005, l2reg=0.01, model_class=CLASSES[name], inputs_cols=COLUMNS[name],
        initializer=torch.nn.init.xavier_uniform_, optimizer=torch.optim.Adam, device=torch.device("cpu"),
    )  # fmt: skip


def build():
    nets = []
    for name in CLASSES:
        instructor = Instructor(options(name))
        instructor._reset_params()
        nets.append(instructor.model)
    return tuple(nets)


def forward(*nets):
    outputs = {}
    for name, net in zip(CLASSES, nets):
        net.eval()
        instructor = Instructor(options(name))
        batch = next(iter(DataLoader(instructor.testset, batch_size=5)))
        outputs[name] = lambda net=net, batch=batch, name=name: net([batch[column] for column in COLUMNS[name]])
    return outputs


def trained(name, net):
    instructor = Instructor(options(name))
    instructor.model.load_state_dict(net.state_dict())
    if name == "asgcn":
        instructor.model.text_embed_dropout.p = 0.0
    opt = instructor.opt
    parameters = filter(lambda p: p.requires_grad, instructor.model.parameters())
    optimizer = opt.optimizer(parameters, lr=opt.lr, weight_decay=opt.l2reg)
    train_loader = DataLoader(dataset=instructor.trainset, batch_size=opt.batch_size, shuffle=False)
    val_loader = DataLoader(dataset=instructor.valset, batch_size=opt.batch_size, shuffle=False)
    path = instructor._train(nn.CrossEntropyLoss(), optimizer, train_loader, val_loader)
    results = {"last": list(instructor.model.parameters())[-2], "first": list(instructor.model.parameters())[1]}
    results["saved"] = path is None or len(torch.load(path))
    results["metrics"] = instructor._evaluate_acc_f1(val_loader)
    return results


def train(*nets):
    return {name: lambda name=name, net=net: list(trained(name, net).values()) for name, net in zip(CLASSES, nets)}
