import argparse
import os
import tempfile

import dataset
import numpy as np
import test as evaluation
import torch
import train as program
from model import Model
from PIL import Image
from utils import AttnLabelConverter, CTCLabelConverter

WORDS = ["mind", "port", "a1", "seven7", "net", "x", "sparks", "ok"]


def options(**more):
    opt = argparse.Namespace(
        exp_name=tempfile.mkdtemp(), train_data="train", valid_data="valid", workers=0, batch_size=4, num_iter=3,
        valInterval=2, saved_model="", FT=False, adam=False, lr=0.1, beta1=0.9, rho=0.95, eps=1e-8, grad_clip=5,
        baiduCTC=False, select_data="MJ-ST", batch_ratio="0.5-0.5", total_data_usage_ratio="1.0", batch_max_length=8,
        imgH=32, imgW=64, rgb=False, character="0123456789abcdefghijklmnopqrstuvwxyz", sensitive=False, PAD=False,
        data_filtering_off=False, Transformation="None", FeatureExtraction="VGG", SequenceModeling="None",
        Prediction="CTC", num_fiducial=8, input_channel=1, output_channel=32, hidden_size=24, num_gpu=0,
    )  # fmt: skip
    for name, value in more.items():
        setattr(opt, name, value)
    return opt


KINDS = {
    "crnn": {"SequenceModeling": "BiLSTM", "PAD": True},
    "trba": {
        "Transformation": "TPS", "FeatureExtraction": "ResNet", "SequenceModeling": "BiLSTM", "Prediction": "Attn",
        "adam": True, "lr": 1e-4,
    },
    "r2am": {"FeatureExtraction": "RCNN", "Prediction": "Attn", "rgb": True, "input_channel": 3},
}  # fmt: skip


class Words(torch.utils.data.Dataset):
    def __init__(self, seed, opt):
        rng = np.random.RandomState(seed)
        mode, shape = ("RGB", (30, 50, 3)) if opt.rgb else ("L", (30, 50))
        self.items = [(Image.fromarray(rng.randint(0, 256, shape).astype(np.uint8), mode), word) for word in WORDS]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def model_of(kind):
    opt = options(**KINDS[kind])
    converter = AttnLabelConverter(opt.character) if opt.Prediction == "Attn" else CTCLabelConverter(opt.character)
    opt.num_class = len(converter.character)
    return Model(opt)


def build():
    return tuple(model_of(kind) for kind in KINDS)


def images(seed, channels=1):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (3, channels, 32, 64)).astype("float32"))


def converted():
    ctc, attention = CTCLabelConverter("abc"), AttnLabelConverter("abc")
    text, length = ctc.encode(["abca", "b"], 6)
    read = ctc.decode(text, length)
    target, sizes = attention.encode(["cab", "a"], 4)
    said = attention.decode(target[:, 1:], sizes)
    assert read == ["abca", "b"] and said[1].startswith("a[s]")
    return [text, length, target, sizes]


def forward(crnn, trba, r2am):
    for net in (crnn, trba, r2am):
        net.eval()
    text = torch.from_numpy(np.random.RandomState(3).randint(0, 30, (3, 9)))
    return {
        "crnn": lambda: crnn(images(1), text),
        "trba": lambda: trba(images(2), text),
        "greedy": lambda: trba(images(2), text, is_train=False),
        "r2am": lambda: r2am(images(4, 3), text, is_train=False),
        "converted": converted,
    }


def trained(kind, net):
    opt = options(**KINDS[kind])
    os.makedirs(f"./saved_models/{opt.exp_name}", exist_ok=True)
    dataset.hierarchical_dataset = lambda root, opt, select_data="/": (Words(len(select_data[0]), opt), "made up")
    program.hierarchical_dataset = lambda root, opt, select_data="/": (Words(5, opt), "made up")
    evaluation.edit_distance = lambda one, other: abs(len(one) - len(other))
    kept = []

    program.Model = lambda opt: net
    # The program draws new weights; the ones it was given are put back when the loop begins.
    weights = {name: value.detach().clone() for name, value in net.state_dict().items()}

    class Balanced(dataset.Batch_Balanced_Dataset):
        def get_batch(self):
            if not kept:
                net.load_state_dict(weights)
            kept.append(1)
            return super().get_batch()

    program.Batch_Balanced_Dataset = Balanced
    try:
        program.train(opt)
    except SystemExit:
        pass
    with open(f"./saved_models/{opt.exp_name}/log_train.txt") as log:
        losses = [float(part.split(": ")[1]) for line in log for part in line.split(", ") if part[:10] in ("Valid loss",)]
    return [losses, net.Prediction.weight if opt.Prediction == "CTC" else net.Prediction.generator.weight]


def train(crnn, trba, r2am):
    return {
        "crnn": lambda: [*trained("crnn", crnn), crnn.SequenceModeling[0].rnn.weight_ih_l0],
        "trba": lambda: [*trained("trba", trba), trba.Prediction.attention_cell.rnn.weight_ih],
        "r2am": lambda: trained("r2am", r2am),
    }
