import json
import os
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader

import main as script
from datasets.loader import VideoLoader
from datasets.videodataset import VideoDataset
from datasets.videodataset_multiclips import VideoDatasetMultiClips, collate_fn
from inference import inference
from model import generate_model, get_fine_tuning_parameters
from models.densenet import DenseNet
from models.resnet import ResNet
from models.wide_resnet import WideBottleneck
from temporal_transforms import Compose, SlidingWindow, TemporalCenterCrop, TemporalEvenCrop

CLASSES = ["jump", "run", "sit"]
pictures = np.random.RandomState(0)
database = {}
for index in range(10):
    label = CLASSES[index % 3]
    folder = Path("videos") / label / f"v{index}"
    folder.mkdir(parents=True, exist_ok=True)
    colour = pictures.randint(0, 200, (4, 4, 3))
    for frame in range(1, 13):
        pixels = (colour + pictures.randint(0, 56, (4, 4, 3))).repeat(8, 0).repeat(8, 1).astype("uint8")
        Image.fromarray(pixels).save(folder / f"image_{frame:05d}.png")
    database[f"v{index}"] = {
        "subset": "training" if index < 5 else "validation",
        "annotations": {"label": label, "segment": [1, 13]},
    }
with open("annotation.json", "w", encoding="utf-8") as f:
    json.dump({"labels": CLASSES, "database": database}, f)
os.makedirs("results", exist_ok=True)


class ToTensor:
    def randomize_parameters(self):
        pass

    def __call__(self, image):
        return torch.from_numpy(np.asarray(image).astype("float32").transpose(2, 0, 1) / 128 - 1)


def options(text):
    sys.argv = (
        "main.py --video_path videos --annotation_path annotation.json --result_path results --no_cuda --n_threads 0 "
        f"--n_classes 3 --sample_size 32 --sample_duration 8 --batch_size 6 --n_val_samples 2 {text}"
    ).split()
    opt = script.get_opt()
    opt.device = torch.device("cpu")
    opt.is_master_node = True
    return opt


KINDS = {
    "resnet": "--model resnet --model_depth 18 --resnet_widen_factor 0.125 --conv1_t_size 3 --n_epochs 3 --multistep_milestones 1 2",
    "shortcut_a": "--model resnet --model_depth 10 --resnet_widen_factor 0.125 --resnet_shortcut A --nesterov --no_max_pool",
    "resnet2p1d": "--model resnet2p1d --model_depth 10 --resnet_widen_factor 0.0625 --lr_scheduler plateau --plateau_patience 0 --no_max_pool",
}


def build():
    nets = [generate_model(options(text)) for text in KINDS.values()]
    densenet = DenseNet(num_init_features=8, growth_rate=4, block_config=(2, 2), num_classes=3)
    wide = ResNet(
        WideBottleneck, [1, 2, 1, 1], [8, 16, 16, 16], n_classes=3, conv1_t_size=3, no_max_pool=True
    )
    return (*nets, densenet, wide)


def init():
    torch.manual_seed(1)
    net = generate_model(options(KINDS["resnet"]))
    return {"conv": net.layer2[0].conv1.weight, "fc": net.fc.weight}


def loader_of(subset, clips, batch_size, target_type="label"):
    load = VideoLoader(lambda x: f"image_{x:05d}.png")
    if clips is None:
        dataset = VideoDataset(
            Path("videos"), Path("annotation.json"), subset, ToTensor(), Compose([TemporalCenterCrop(8)]),
            video_loader=load, target_type=target_type,
        )  # fmt: skip
        return DataLoader(
            dataset, batch_size=batch_size, pin_memory=True, worker_init_fn=script.worker_init_fn
        )
    dataset = VideoDatasetMultiClips(
        Path("videos"), Path("annotation.json"), subset, ToTensor(), Compose([clips]), video_loader=load,
        target_type=target_type,
    )  # fmt: skip
    return DataLoader(dataset, batch_size=batch_size, collate_fn=collate_fn)


def forward(*nets):
    clips, targets = next(iter(loader_of("training", None, 4)))
    many, labels = next(iter(loader_of("validation", TemporalEvenCrop(8, 2), 2)))
    outputs = {"clips": [clips, targets], "many": [many, labels]}
    for kind, net in zip([*KINDS, "densenet", "wide"], nets):
        net.eval()
        outputs[kind] = lambda net=net: net(clips)
    return outputs


def train(*nets):
    results = {}
    for kind, net in zip([*KINDS, "densenet"], nets):
        opt = options(KINDS.get(kind, KINDS["shortcut_a"]))
        log = script.Logger(Path("results") / f"{kind}.log", ["epoch", "loss", "acc", "lr"])
        optimizer = script.SGD(
            get_fine_tuning_parameters(net, "layer2" if kind == "shortcut_a" else ""),
            lr=0.003,
            momentum=opt.momentum,
            dampening=0 if opt.nesterov else opt.dampening,
            weight_decay=opt.weight_decay,
            nesterov=opt.nesterov,
        )
        if opt.lr_scheduler == "plateau":
            scheduler = script.lr_scheduler.ReduceLROnPlateau(optimizer, "min", patience=opt.plateau_patience)
        else:
            scheduler = script.lr_scheduler.MultiStepLR(optimizer, opt.multistep_milestones)
        criterion = script.CrossEntropyLoss().to(opt.device)
        losses = []
        for epoch in range(1, 4):
            current_lr = script.get_lr(optimizer)
            script.train_epoch(
                epoch,
                loader_of("training", None, 5),
                net,
                criterion,
                optimizer,
                opt.device,
                current_lr,
                log,
                None,
            )
            losses.append(
                script.val_epoch(
                    epoch,
                    loader_of("validation", TemporalEvenCrop(8, 2), 3),
                    net,
                    criterion,
                    opt.device,
                    None,
                )
            )
            if opt.lr_scheduler == "plateau":
                scheduler.step(losses[-1])
            else:
                scheduler.step()
        path = Path("results") / f"{kind}.pth"
        script.save_checkpoint(path, 2, opt.arch, net, optimizer, scheduler)
        script.resume_model(path, opt.arch, net)
        begin_epoch, optimizer, scheduler = script.resume_train_utils(path, 1, optimizer, scheduler)
        results[kind] = [*losses, begin_epoch, script.get_lr(optimizer)]
        results[kind + "_weight"] = list(net.parameters())[0]
        results[kind + "_last"] = list(net.parameters())[-2]
    path = Path("results") / "val.json"
    names = dict(enumerate(CLASSES))
    loader = loader_of("validation", SlidingWindow(8, 4), 2, ["video_id", "segment"])
    inference(loader, nets[0], path, names, False, 3)
    with path.open() as f:
        found = json.load(f)["results"]
    results["scores"] = [one["score"] for video in found.values() for one in video]
    return results
