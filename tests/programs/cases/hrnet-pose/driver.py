import os
import re
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))

import models
from config import MODEL_EXTRAS, cfg
from core.function import train as train_epoch
from core.function import validate
from core.loss import JointsMSELoss, JointsOHKMMSELoss
from utils.utils import get_model_summary, get_optimizer, save_checkpoint

JOINTS = 4
cfg.defrost()
cfg.MODEL.NUM_JOINTS = JOINTS
cfg.TEST.FLIP_TEST = True
cfg.TEST.SHIFT_HEATMAP = True
cfg.TEST.POST_PROCESS = True
cfg.PRINT_FREQ = 1


def hrnet_config():
    config = cfg.clone()
    config.MODEL.EXTRA = MODEL_EXTRAS["pose_high_resolution_net"].clone()
    for stage in (2, 3, 4):
        part = config.MODEL.EXTRA["STAGE" + str(stage)]
        part.NUM_CHANNELS = [4 * 2**i for i in range(stage)]
        part.NUM_BLOCKS = [1] * stage
    config.MODEL.EXTRA.STAGE3.NUM_MODULES = 2
    config.TRAIN.OPTIMIZER = "sgd"
    return config


def resnet_config():
    config = cfg.clone()
    config.MODEL.EXTRA = MODEL_EXTRAS["pose_resnet"].clone()
    config.MODEL.EXTRA.NUM_LAYERS = 18
    config.TRAIN.LR = 1e-5
    config.MODEL.EXTRA.NUM_DECONV_FILTERS = [16, 16, 16]
    return config


def build():
    hrnet = models.pose_hrnet.get_pose_net(hrnet_config(), is_train=False)
    return hrnet, models.pose_resnet.get_pose_net(resnet_config(), is_train=False)


def init():
    torch.manual_seed(1)
    hrnet = models.pose_hrnet.get_pose_net(hrnet_config(), is_train=True)
    return {"conv1": hrnet.conv1.weight, "bias": hrnet.final_layer.bias}


def batch(seed):
    rng = np.random.RandomState(seed)
    image = rng.randn(2, 3, 64, 64).astype("float32")
    target = rng.rand(2, JOINTS, 16, 16).astype("float32")
    weight = np.array([[[1], [0], [1], [1]], [[1], [1], [1], [0]]], "float32")
    meta = {
        "center": torch.from_numpy(rng.uniform(20, 40, (2, 2))),
        "scale": torch.from_numpy(rng.uniform(0.5, 1, (2, 2))),
        "score": torch.from_numpy(rng.rand(2)),
        "image": ["a.jpg", "b.jpg"],
    }
    return torch.from_numpy(image), torch.from_numpy(target), torch.from_numpy(weight), meta


def parameters(net):
    text = get_model_summary(net, batch(0)[0], verbose=True)
    return np.array([int(re.search("Total Parameters: ([0-9,]+)", text).group(1).replace(",", ""))])


def forward(hrnet, resnet):
    hrnet.eval()
    resnet.eval()
    image, target, weight, _ = batch(0)
    heatmap = hrnet(image)
    return {
        "hrnet": heatmap,
        "resnet": resnet(image),
        "ohkm": lambda: JointsOHKMMSELoss(True, topk=2)(heatmap, target, weight),
        "summary": lambda: parameters(resnet),
    }


class Writer:
    def __init__(self):
        self.values = []

    def add_scalar(self, name, value, step):
        self.values.append(value)

    def add_scalars(self, name, values, step):
        pass


class Dataset:
    flip_pairs = [[0, 1]]

    def __len__(self):
        return 4

    def evaluate(self, config, preds, output_dir, *args, **kwargs):
        self.preds = preds
        return {"Null": 0.0}, 0.0


def train(hrnet, resnet):
    results = {}
    for name, net, config in (("hrnet", hrnet, hrnet_config()), ("resnet", resnet, resnet_config())):
        criterion = JointsMSELoss(use_target_weight=config.LOSS.USE_TARGET_WEIGHT)
        optimizer = get_optimizer(config, net)
        scheduler = torch.optim.lr_scheduler.MultiStepLR(
            optimizer, [1], config.TRAIN.LR_FACTOR, last_epoch=-1
        )
        writer, dataset = Writer(), Dataset()
        writer_dict = {"writer": writer, "train_global_steps": 0, "valid_global_steps": 0}
        for epoch in range(2):
            loader = [batch(10 * epoch + step) for step in range(2)]
            train_epoch(config, loader, net, criterion, optimizer, epoch, ".", ".", writer_dict)
            validate(config, [batch(7), batch(8)], dataset, net, criterion, ".", ".", writer_dict)
            scheduler.step()
        save_checkpoint({"state_dict": net.state_dict(), "best_state_dict": net.state_dict()}, True, ".")
        results[name + "_losses"] = writer.values
        results[name + "_weight"] = net.final_layer.weight
        results[name + "_conv1"] = net.conv1.weight
    return results
