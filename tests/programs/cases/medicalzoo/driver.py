import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

import lib.medzoo as medzoo
import lib.train as train_lib
import lib.utils as utils
from lib.losses3D import DiceLoss, create_loss

args = argparse.Namespace(
    batchSz=2, dataset_name="iseg2017", dim=(32, 32, 32), nEpochs=3, classes=4, inChannels=2, inModalities=2,
    terminal_show_freq=1, lr=1e-2, cuda=False, model="UNET3D", opt="sgd", log_dir="runs/", save="saved_models",
)  # fmt: skip


class Scalars:
    def __init__(self):
        self.scalars = []

    def add_scalar(self, name, value, global_step):
        self.scalars.append(float(value))


def no_dropout(model):
    for m in model.modules():
        if isinstance(m, (nn.Dropout, nn.Dropout3d)):
            m.p = 0.0
    return model


def model_of(name):
    return no_dropout(medzoo.create_model(argparse.Namespace(**{**vars(args), "model": name}))[0])


def build():
    return model_of("UNET3D"), model_of("VNET2"), medzoo.SkipDenseNet3D(
        growth_rate=8, num_init_features=16, drop_rate=0.0, classes=4, block_config=(2, 2, 2, 2)
    )


def volumes(seed, count, size=32):
    rng = np.random.RandomState(seed)
    t1, t2 = (torch.from_numpy(rng.randn(count, 1, size, size, size).astype("float32")) for _ in range(2))
    return t1, t2, torch.from_numpy(rng.randint(0, args.classes, (count, size, size, size)).astype("float32"))


def loss_of(name, output, target):
    return create_loss(name)(output, target)


def forward(unet, vnet, skipdense):
    for net in (unet, vnet, skipdense):
        net.eval()
    t1, t2, target = volumes(0, 1)
    image, target = utils.general.prepare_input((t1, t2, target), args=args)
    output = unet.inference(image)
    return {
        "unet": output,
        "vnet": lambda: vnet(image),
        "skipdense": lambda: skipdense(image),
        "dice": lambda: DiceLoss(classes=4)(output, target)[1],
        "generalized_dice": lambda: loss_of("GeneralizedDiceLoss", output, target)[0],
        "weighted": lambda: loss_of("WeightedCrossEntropyLoss", output, target.long()),
    }


def trained(model, seed):
    utils.make_dirs(args.save)
    criterion = DiceLoss(classes=args.classes)
    loaders = [
        DataLoader(TensorDataset(*volumes(seed + 1 + place, 2 * batches)), batch_size=args.batchSz, shuffle=False)
        for place, batches in enumerate((2, 1))
    ]
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5, weight_decay=0.0000000001)
    trainer = train_lib.Trainer(
        args, model, criterion, optimizer, train_data_loader=loaders[0], valid_data_loader=loaders[1], lr_scheduler=None
    )
    trainer.writer.writer = Scalars()
    losses = []
    for epoch in range(1, 3):
        trainer.train_epoch(epoch)
        trainer.validate_epoch(epoch)
        losses.append([trainer.writer.data[mode]["loss"] for mode in ("train", "val")])
        trainer.writer.reset("train")
        trainer.writer.reset("val")
    return np.array(losses), np.array(trainer.writer.writer.scalars)


def train(unet, vnet, skipdense):
    losses, scores = trained(unet, 10)
    return {
        "losses": losses,
        "scores": scores,
        "first": unet.conv3d_c1_1.weight,
        "skipdense": lambda: trained(skipdense, 20)[0],
    }
