import functools
import os
import tempfile

import numpy as np
import torch

from src.config import Config
from src.dataset import Dataset
from src.edge_connect import EdgeConnect
from src.models import EdgeModel
from src.networks import InpaintGenerator

SIZE = 32


def configuration(model, loss):
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "config.yml")
    with open(path, "w") as f:
        f.write(f"MODE: 1\nMODEL: {model}\nGAN_LOSS: '{loss}'\nLR: 0.0002\nBATCH_SIZE: 2\nINPUT_SIZE: {SIZE}\n")
        f.write("MAX_ITERS: 4\nLOG_INTERVAL: 1\nSAMPLE_INTERVAL: 2\nSAMPLE_SIZE: 2\nEVAL_INTERVAL: 3\nSAVE_INTERVAL: 2\n")
        f.write("TRAIN_FLIST: ''\nVAL_FLIST: ''\nVERBOSE: 1\n")
    config = Config(path)
    config._dict["DEVICE"] = torch.device("cpu")
    return config


class Pictures(Dataset):
    def __init__(self, config, number, seed):
        super(Pictures, self).__init__(config, [str(i) for i in range(number)], [], [], augment=False)
        rng = np.random.RandomState(seed)
        self.pictures = rng.randint(0, 256, (number, SIZE, SIZE, 3)).astype(np.uint8)
        self.lines = rng.randint(0, 2, (number, SIZE, SIZE)).astype(np.uint8) * 255

    def load_item(self, index):
        picture = self.pictures[index]
        hole = np.zeros((SIZE, SIZE), np.uint8)
        hole[8:24, 4 + index : 20 + index] = 255
        gray = picture.mean(2).astype(np.uint8)
        return self.to_tensor(picture), self.to_tensor(gray), self.to_tensor(self.lines[index]), self.to_tensor(hole)


def batch(seed):
    rng = np.random.RandomState(seed)
    pictures = torch.from_numpy(rng.rand(2, 3, SIZE, SIZE).astype("float32"))
    lines = torch.from_numpy((rng.rand(2, 1, SIZE, SIZE) > 0.7).astype("float32"))
    holes = torch.zeros(2, 1, SIZE, SIZE)
    holes[:, :, 8:24, 8:24] = 1
    return pictures, lines, holes


@functools.lru_cache
def trainer_of(model, loss):
    return EdgeConnect(configuration(model, loss))


def build():
    edges, both = trainer_of(1, "nsgan"), trainer_of(3, "hinge")
    return edges.edge_model, both.edge_model, both.inpaint_model


def forward(edge, hinge_edge, inpaint):
    pictures, lines, holes = batch(5)
    for net in (edge, hinge_edge, inpaint):
        net.eval()
    gray = pictures.mean(1, keepdim=True)

    def judged():
        scores, features = inpaint.discriminator(pictures)
        return [scores, *features]

    return {
        "edge": lambda: edge(gray, lines, holes),
        "inpaint": lambda: inpaint(pictures, lines, holes),
        "judged": judged,
        "style": lambda: inpaint.style_loss(pictures, pictures * holes),
        "content": lambda: inpaint.perceptual_loss(pictures, pictures * holes),
    }


def trained(trainer, edge, inpaint):
    config = trainer.config
    if edge is not None:
        trainer.edge_model = edge
    if inpaint is not None:
        trainer.inpaint_model = inpaint
    for model in filter(None, (edge, inpaint)):
        model.iteration = 0  # which an earlier run has left, so that none is saved
    trainer.train_dataset = Pictures(config, 8, 1)
    trainer.val_dataset = Pictures(config, 4, 2)
    trainer.sample_iterator = trainer.val_dataset.create_iterator(config.SAMPLE_SIZE)
    trainer.train()
    # Precision and recall count pixels, so they jump.
    last = 5 if inpaint is None else None
    with open(trainer.log_file) as f:
        logged = [float(word) for line in f for word in line.split()[:last]]
    saved = trainer.edge_model if inpaint is None else trainer.inpaint_model
    before = saved.generator.encoder[1].weight.detach().clone()
    saved.load()
    return {"logged": logged, "before": before, "loaded": saved.generator.encoder[1].weight}


def train(edge, hinge_edge, inpaint):
    return {
        "edges": lambda: [
            *trained(trainer_of(1, "nsgan"), edge, None).values(),
            edge.discriminator.conv2[0].weight_u,
        ],
        "both": lambda: [
            *trained(trainer_of(3, "hinge"), hinge_edge, inpaint).values(),
            inpaint.discriminator.conv5[0].weight,
            hinge_edge.generator.encoder[4].weight_orig,
        ],
    }


def init():
    generator, edges = InpaintGenerator(), EdgeModel(configuration(1, "lsgan"))
    return {
        "convolution": generator.encoder[1].weight,
        "transposed": generator.decoder[0].weight,
        "bias": generator.encoder[1].bias,
        "normed": edges.generator.encoder[4].weight_orig,
        "judge": edges.discriminator.conv4[0].weight_orig,
    }
