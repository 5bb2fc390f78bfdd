import logging
import os

import numpy as np
import torch
import torch.utils.data

from config_files.HAR_Configs import Config
from dataloader.dataloader import data_generator
from models.loss import NTXentLoss
from models.model import base_Model
from models.TC import TC
from trainer.trainer import Trainer, model_evaluate

LENGTH, BATCH = 64, 10


def configuration():
    configs = Config()
    configs.num_epoch, configs.batch_size, configs.features_len, configs.dropout = 2, BATCH, 10, 0.0
    configs.final_out_channels, configs.TC.hidden_dim = 16, 8
    configs.TC.timesteps = 9  # of ten: one place to begin is left
    configs.augmentation.max_seg = 2  # whole: NumPy no longer permutes pieces of unequal length
    return configs


def write_data(folder):
    os.makedirs(folder, exist_ok=True)
    rng = np.random.RandomState(1)
    for name, size in (("train", BATCH), ("val", BATCH), ("test", 11)):
        samples = torch.from_numpy(rng.randn(size, 9, LENGTH).astype(np.float32))
        labels = torch.from_numpy(rng.randint(0, 6, size))
        torch.save({"samples": samples, "labels": labels}, os.path.join(folder, name + ".pt"))


def build():
    configs = configuration()
    temporal = TC(configs, torch.device("cpu"))
    for layer in temporal.modules():
        if isinstance(layer, torch.nn.Dropout):
            layer.p = 0.0
    return base_Model(configs), temporal


def inputs(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def forward(model, temporal):
    model.eval()
    temporal.eval()
    first, second = inputs(2, 3, 16, 10), inputs(3, 3, 16, 10)
    return {
        "logits": lambda: model(inputs(1, 3, 9, LENGTH))[0],
        "features": lambda: model(inputs(1, 3, 9, LENGTH))[1],
        "contrast": lambda: temporal(first, second)[0],
        "context": lambda: temporal(first, second)[1],
        "cosine": lambda: NTXentLoss("cpu", 3, 0.2, True)(inputs(4, 3, 5), inputs(5, 3, 5)),
        "dot": lambda: NTXentLoss("cpu", 3, 0.2, False)(inputs(4, 3, 5), inputs(5, 3, 5)),
    }


def trained(model, temporal, mode):
    configs, device = configuration(), torch.device("cpu")
    logger = logging.getLogger(mode)
    write_data("data")
    np.random.seed(7)  # the augmentations
    train_dl, valid_dl, test_dl = data_generator("data", configs, mode)
    train_dl = torch.utils.data.DataLoader(train_dl.dataset, batch_size=BATCH, shuffle=False, drop_last=True)
    optimizers = [
        torch.optim.Adam(net.parameters(), lr=configs.lr, betas=(configs.beta1, configs.beta2), weight_decay=3e-4)
        for net in (model, temporal)
    ]
    Trainer(
        model, temporal, *optimizers, train_dl, valid_dl, test_dl, device, logger, configs, mode, mode
    )  # fmt: skip
    saved = torch.load(os.path.join(mode, "saved_models", "ckp_last.pt"), map_location=device)
    loss, accuracy, guesses, targets = model_evaluate(model, temporal, test_dl, device, mode)
    results = [loss, accuracy, np.array(guesses), np.array(targets), saved["model_state_dict"]["conv_block1.0.weight"]]
    results += [saved["temporal_contr_model_state_dict"]["Wk.3.weight"]]
    return results + [model.conv_block3[1].running_var, temporal.projection_head[0].weight]


def train(model, temporal):
    return {
        "alone": lambda: trained(model, temporal, "self_supervised"),
        "supervised": lambda: trained(model, temporal, "supervised"),
    }
