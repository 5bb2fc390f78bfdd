import os
import io
import tempfile
import types
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torchvision import transforms as trans

import Learner as program
import utils
from data.data_pipe import de_preprocess
from model import Am_softmax, Arcface, MobileFaceNet, bottleneck_IR, bottleneck_IR_SE, get_block, l2_norm

WIDTH = 24


def build():
    return MobileFaceNet(WIDTH), Arcface(WIDTH, 5), Am_softmax(WIDTH, 5), bottleneck_IR_SE(16, 16, 2), bottleneck_IR(8, 16, 2)


def init():
    torch.manual_seed(1)
    net = MobileFaceNet(128)
    return {
        "conv": net.conv_5.model[1].conv.conv.weight,
        "prelu": net.conv1.prelu.weight,
        "linear": net.linear.weight,
        "head": Arcface(64, 90).kernel,
        "softmax": Am_softmax(64, 90).kernel,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, head, softmax, squeezed, plain):
    for one in (net, head, softmax, squeezed, plain):
        one.eval()
    labels = torch.tensor([3, 0, 4])

    def parts(*modules):
        return [len(found) for one in modules for found in utils.separate_bn_paras(one)]

    with torch.no_grad():
        return {
            "embedded": lambda: net(array(1, 2, 3, 112, 112)),
            "margins": lambda: head(l2_norm(array(2, 3, WIDTH)), labels),
            "softmax": lambda: softmax(l2_norm(array(3, 3, WIDTH)), labels),
            "squeezed": lambda: squeezed(array(4, 2, 16, 9, 9)),
            "plain": lambda: plain(array(5, 2, 8, 8, 8)),
            "blocks": lambda: [list(one) for one in get_block(8, 16, 3)],
            "parts": lambda: parts(net, squeezed, plain, [torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 2)]),
            "flipped": lambda: utils.hflip_batch(torch.clamp(0.3 * array(6, 2, 3, 8, 8), -1, 1)),
            "restored": lambda: de_preprocess(array(7, 2, 2)),
        }


class Board:
    """Stands for TensorBoard."""

    def __init__(self, path):
        self.values = []

    def add_scalar(self, name, value, step):
        self.values.append(float(value))

    def add_image(self, name, image, step):
        self.values.append(float(image.mean()))


def written(folder):
    for person in range(3):
        os.makedirs(f"{folder}/imgs/{person}")
        for row in range(4):
            pixels = np.random.RandomState(10 * person + row).randint(0, 255, (112, 112, 3)).astype("uint8")
            Image.fromarray(pixels).save(f"{folder}/imgs/{person}/{row}.png")


def plotted(fpr, tpr):
    buffer = io.BytesIO()
    Image.fromarray(np.full((4, 4, 3), int(100 * np.mean(tpr)), "uint8")).save(buffer, "png")
    buffer.seek(0)
    return buffer


def settings(folder):
    return types.SimpleNamespace(
        use_mobilfacenet=True, embedding_size=WIDTH, device=torch.device("cpu"), milestones=[1, 2, 3], lr=1e-5,
        momentum=0.9, log_path=folder, model_path=folder / "models", save_path=folder / "save", data_mode="emore",
        emore_folder=folder, batch_size=6, num_workers=0, pin_memory=False, threshold=1.5,
        ce_loss=torch.nn.CrossEntropyLoss(),
        test_transform=trans.Compose([trans.ToTensor(), trans.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])]),
    )  # fmt: skip


def train(net, head, softmax, squeezed, plain):
    results = {}
    pairs = np.random.RandomState(3).randn(12, 3, 112, 112).astype("float32")
    same = np.arange(6) % 2 == 0
    program.SummaryWriter, program.gen_plot = Board, plotted
    program.get_val_data = lambda root: (pairs, pairs[::-1].copy(), pairs, same, same, same)
    program.MobileFaceNet = lambda width: net
    program.Arcface = lambda embedding_size, classnum: head
    with tempfile.TemporaryDirectory() as here:
        folder = Path(here)
        for name in ("models", "save"):
            (folder / name).mkdir()
        written(folder)
        conf = settings(folder)
        one = program.face_learner(conf)
        results["groups"] = [[len(group["params"]), group["weight_decay"]] for group in one.optimizer.param_groups]
        one.board_loss_every, one.evaluate_every, one.save_every = 1, 2, 2
        one.train(conf, 2)
        results["board"] = one.writer.values[:1]
        results["logged"] = len(one.writer.values)
        results["rates"] = [group["lr"] for group in one.optimizer.param_groups]
        results["saved"] = [len(list((folder / name).iterdir())) for name in ("models", "save")]
        results["trained"] = head.kernel.detach().clone()
        kept = next((folder / "save").glob("model_*")).name[len("model_") :]
        faces = [Image.open(folder / "imgs" / str(person) / "0.png") for person in range(2)]
        targets = l2_norm(array(8, 4, WIDTH))
        one.threshold = conf.threshold
        one.model.eval()
        with torch.no_grad():
            results["inferred"] = list(one.infer(conf, faces, targets, tta=True))
        results["losses"] = one.find_lr(conf, init_value=1e-7, final_value=1e-5, num=1)[1]
        one.load_state(conf, kept, from_save_folder=True)
        one.milestones = [9, 9, 9]
        results["loaded"] = head.kernel.detach().clone()
    optimizer = torch.optim.SGD([{"params": softmax.parameters()}, {"params": plain.parameters(), "lr": 0.01}], lr=0.1)
    squares = []
    for step in range(3):
        features = plain(array(40 + step, 3, 8, 4, 4)).view(3, -1)[:, :WIDTH]
        loss = conf.ce_loss(softmax(l2_norm(features), torch.tensor([1, 0, 2])), torch.tensor([1, 0, 2]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        squares.append(loss.item())
    return {
        **results,
        "squares": squares,
        "kernel": softmax.kernel,
        "conv": net.conv_23.conv.conv.weight,
        "norm": net.conv_4.model[2].project.bn.weight,
        "prelu": net.conv1.prelu.weight,
        "linear": net.linear.weight,
        "mean": net.bn.running_mean,
        "plain": plain.res_layer[1].weight,
    }
