import os
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src", "lib"))

from models.decode import ctdet_decode, multi_pose_decode
from models.networks.large_hourglass import exkp, make_hg_layer, make_pool_layer, residual
from models.networks.msra_resnet import BasicBlock, PoseResNet
from opts import opts
from trains.ctdet import CtdetTrainer

opt = opts().init(["ctdet", "--arch", "res_18", "--gpus", "-1", "--input_res", "64", "--print_iter", "1", "--head_conv", "16"])
opt.device = torch.device("cpu")
opt.num_classes = opt.heads["hm"] = 3
SIZE, OBJECTS = 16, 6


class SmallHourglass(exkp):
    """HourglassNet in small."""

    def __init__(self, heads, num_stacks=2):
        super(SmallHourglass, self).__init__(
            2, num_stacks, [256, 8, 16], [1, 1, 1], heads, make_tl_layer=None, make_br_layer=None,
            make_pool_layer=make_pool_layer, make_hg_layer=make_hg_layer, kp_layer=residual, cnv_dim=16,
        )  # fmt: skip


def build():
    return PoseResNet(BasicBlock, [1, 1, 1, 1], opt.heads, head_conv=opt.head_conv), SmallHourglass(opt.heads)


def batch(seed):
    rng = np.random.RandomState(seed)
    hm = rng.uniform(0, 0.9, (2, opt.num_classes, SIZE, SIZE)).astype("float32") ** 4
    ind = rng.permutation(SIZE * SIZE)[: 2 * OBJECTS].reshape(2, OBJECTS)
    reg_mask = np.ones((2, OBJECTS), "uint8")
    reg_mask[1, 4:] = 0
    for image in range(2):
        for place, present in zip(ind[image], reg_mask[image]):
            if present:
                hm[image, rng.randint(opt.num_classes), place // SIZE, place % SIZE] = 1
    return {
        "input": torch.from_numpy(rng.randn(2, 3, 64, 64).astype("float32")),
        "hm": torch.from_numpy(hm),
        "reg_mask": torch.from_numpy(reg_mask),
        "ind": torch.from_numpy(ind),
        "wh": torch.from_numpy(rng.uniform(1, 8, (2, OBJECTS, 2)).astype("float32")),
        "reg": torch.from_numpy(rng.rand(2, OBJECTS, 2).astype("float32")),
    }


def detections(output):
    hm = output["hm"].sigmoid()
    return ctdet_decode(hm, output["wh"], reg=output["reg"], cat_spec_wh=opt.cat_spec_wh, K=10)


def poses():
    rng = np.random.RandomState(9)
    maps = {
        name: torch.from_numpy(rng.rand(2, channels, SIZE, SIZE).astype("float32"))
        for name, channels in [("hm", 1), ("wh", 2), ("hps", 34), ("reg", 2), ("hm_hp", 17), ("hp_offset", 2)]
    }
    return multi_pose_decode(
        maps["hm"], maps["wh"], maps["hps"], reg=maps["reg"], hm_hp=maps["hm_hp"], hp_offset=maps["hp_offset"], K=5
    )


def forward(resnet, hourglass):
    resnet.eval()
    hourglass.eval()
    image = batch(0)["input"]
    output = resnet(image)[-1]
    stacks = hourglass(image)
    return {
        "hm": output["hm"],
        "wh": output["wh"],
        "detections": lambda: detections(resnet(image)[-1]),
        "stacked_hm": stacks[-1]["hm"],
        "stacked_wh": stacks[0]["wh"],
        "poses": poses,
    }


def trained(model, num_stacks):
    opt.num_stacks = num_stacks
    optimizer = torch.optim.Adam(model.parameters(), opt.lr)
    trainer = CtdetTrainer(opt, model, optimizer)
    trainer.set_device(opt.gpus, opt.chunk_sizes, opt.device)
    losses = []
    for epoch in range(1, 3):
        log_dict_train, _ = trainer.train(epoch, [batch(2 * epoch), batch(2 * epoch + 1)])
        losses.append([log_dict_train[key] for key in ("loss", "hm_loss", "wh_loss", "off_loss")])
    with torch.no_grad():
        log_dict_val, _ = trainer.val(epoch, [batch(9)])
    return np.array(losses), np.array([log_dict_val["loss"]])


def train(resnet, hourglass):
    losses, val = trained(resnet, 1)
    return {
        "losses": losses,
        "val": val,
        "first": resnet.conv1.weight,
        "heat": resnet.hm[2].bias,
        "deconv": resnet.deconv_layers[0].weight,
        "hourglass": lambda: trained(hourglass, 2)[0],
    }
