import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
from PIL import Image

import train as training
from mit_semseg.config import cfg
from mit_semseg.dataset import TrainDataset, ValDataset
from mit_semseg.lib.nn import user_scattered_collate
from mit_semseg.models import ModelBuilder, SegmentationModule, mobilenet, resnet
from mit_semseg.models.models import MobileNetV2Dilated, Resnet, ResnetDilated, UPerNet
from mit_semseg.utils import accuracy, intersectionAndUnion

CLASSES = 5
cfg.DATASET.imgSizes = (64,)
cfg.DATASET.imgMaxSize = 80
cfg.TRAIN.epoch_iters = 2
cfg.TRAIN.disp_iter = 1
cfg.TRAIN.max_iters = 4
cfg.TRAIN.batch_size_per_gpu = 3


def build():
    encoder = ResnetDilated(resnet.resnet18(pretrained=False), dilate_scale=8)
    decoder = ModelBuilder.build_decoder("ppm_deepsup", fc_dim=512, num_class=CLASSES)
    decoder.conv_last[3].p = decoder.dropout_deepsup.p = 0.0
    deep = SegmentationModule(encoder, decoder, nn.NLLLoss(ignore_index=-1), cfg.TRAIN.deep_sup_scale)
    mobile = SegmentationModule(
        MobileNetV2Dilated(mobilenet.mobilenetv2(pretrained=False), dilate_scale=8),
        ModelBuilder.build_decoder("c1_deepsup", fc_dim=320, num_class=CLASSES),
        nn.NLLLoss(ignore_index=-1),
        0.4,
    )
    upernet = SegmentationModule(
        Resnet(resnet.resnet18(pretrained=False)),
        UPerNet(CLASSES, fc_dim=512, use_softmax=True, fpn_inplanes=(64, 128, 256, 512), fpn_dim=32),
        nn.NLLLoss(ignore_index=-1),
    )
    return deep, mobile, upernet


def init():
    torch.manual_seed(1)
    decoder = ModelBuilder.build_decoder("c1", fc_dim=128, num_class=CLASSES)
    encoder = mobilenet.mobilenetv2(pretrained=False)
    return {
        "cbr": decoder.cbr[0].weight,
        "bn_bias": decoder.cbr[1].bias,
        "mobile": encoder.features[3].conv[0].weight,
        "classifier": encoder.classifier[1].weight,
    }


def dataset(kind, folder):
    """Pictures and labels on a disk, as the repository's own lists name them."""
    rng = np.random.RandomState(0)
    records = []
    for number in range(4):
        names = [os.path.join(folder, f"{part}{number}.png") for part in ("image", "label")]
        Image.fromarray(rng.randint(0, 255, (64, 72, 3)).astype("uint8")).save(names[0])
        Image.fromarray(rng.randint(0, CLASSES + 1, (64, 72)).astype("uint8")).save(names[1])
        records.append({"fpath_img": names[0], "fpath_segm": names[1], "width": 72, "height": 64})
    if kind == "train":
        return TrainDataset("", records, cfg.DATASET, batch_per_gpu=cfg.TRAIN.batch_size_per_gpu)
    return ValDataset("", records, cfg.DATASET)


def batches(count):
    with tempfile.TemporaryDirectory() as folder:
        loader = torch.utils.data.DataLoader(
            dataset("train", folder),
            batch_size=1,
            shuffle=False,
            collate_fn=user_scattered_collate,
            num_workers=0,
        )
        iterator = iter(loader)
        return [next(iterator)[0] for _ in range(count)]


def validation():
    with tempfile.TemporaryDirectory() as folder:
        return dataset("val", folder)[1]


def forward(deep, mobile, upernet):
    for module in deep, mobile, upernet:
        module.eval()
    val = validation()
    image, label = val["img_data"][0], val["seg_label"]
    scores = upernet({"img_data": image}, segSize=(64, 72))
    _, pred = torch.max(scores, dim=1)
    pred, truth = pred.squeeze(0).numpy(), label.squeeze(0).numpy()
    feed = batches(1)[0]
    return {
        "data": [feed["img_data"], feed["seg_label"]],
        "upernet": scores,
        "deep": lambda: deep(feed),
        "mobile": lambda: mobile(feed),
        "features": lambda: mobile.encoder(image, return_feature_maps=True)[-1],
        "accuracy": lambda: np.array(accuracy(pred, truth), dtype=float),
        "union": lambda: np.array(intersectionAndUnion(pred, truth, CLASSES), dtype=float),
    }


def train(deep, mobile, upernet):
    history = {"train": {"epoch": [], "loss": [], "acc": []}}
    rates = []
    for module in deep, mobile:
        cfg.TRAIN.lr_encoder = cfg.TRAIN.lr_decoder = 0.001
        nets = module.encoder, module.decoder, module.crit
        optimizers = training.create_optimizers(nets, cfg)
        training.train(module, iter(batches(2)), optimizers, history, 1, cfg)
        rates += [group["lr"] for optimizer in optimizers for group in optimizer.param_groups]
    return {
        "losses": history["train"]["loss"],
        "accuracies": history["train"]["acc"],
        "rates": rates,
        "decoder": deep.decoder.conv_last_deepsup.weight,
        "encoder": deep.encoder.conv1.weight,
        "mobile": mobile.decoder.cbr[1].weight,
        "mobile_mean": mobile.encoder.features[0][1].running_mean,
    }
