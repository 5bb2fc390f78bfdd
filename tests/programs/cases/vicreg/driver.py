import argparse
import os
from pathlib import Path

import numpy as np
import torch
import torchvision.transforms as transforms
from PIL import Image

import main_vicreg
from main_vicreg import LARS, VICReg, adjust_learning_rate, exclude_bias_and_norm, get_arguments, off_diagonal

SIZE, BATCH = 32, 8


class TwoViews:
    """In place of the random crops and colours."""

    def __init__(self):
        self.steps = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5, 0.4, 0.3], [0.2, 0.3, 0.2])])

    def __call__(self, image):
        return self.steps(image), self.steps(image.transpose(Image.FLIP_LEFT_RIGHT))


def write_images(folder):
    rng = np.random.RandomState(1)
    for number in range(BATCH):
        kind = folder / "train" / f"kind{number % 2}"
        kind.mkdir(parents=True, exist_ok=True)
        pixels = rng.randint(0, 255, (SIZE, SIZE, 3)).astype(np.uint8)
        Image.fromarray(pixels).save(kind / f"{number}.png")


def settings(*others):
    parser = argparse.ArgumentParser(parents=[get_arguments()])
    given = ["--data-dir", "data", "--exp-dir", "exp", "--arch", "resnet34", "--mlp", "16-16-12", "--epochs", "4"]
    given += ["--batch-size", str(BATCH), "--base-lr", "20", "--wd", "1e-3", "--num-workers", "0", "--device", "cpu"]
    return parser.parse_args([*given, "--dist-url", f"file://{os.path.abspath('meeting')}", *others])


def begin():
    os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")


def build():
    return VICReg(settings())


def images(seed):
    rng = np.random.RandomState(seed)
    return torch.from_numpy(rng.randn(BATCH, 3, SIZE, SIZE).astype(np.float32))


def forward(net):
    net.eval()
    rates = argparse.Namespace(epochs=40, base_lr=0.3, batch_size=64)
    optimizer = LARS(net.parameters(), lr=0, weight_decay=1e-6)
    loader = [0] * 5
    return {
        "representation": lambda: net.backbone(images(2)),
        "projection": lambda: net.projector(net.backbone(images(2))),
        "off_diagonal": lambda: off_diagonal(torch.arange(25.0).view(5, 5)),
        "rates": lambda: torch.tensor([adjust_learning_rate(rates, optimizer, loader, step) for step in range(0, 200, 9)]),
    }


def trained(net):
    """The script's own training, resumed from a checkpoint with the weights."""
    begin()
    Path("meeting").unlink(missing_ok=True)
    args = settings()
    write_images(args.data_dir)
    args.exp_dir.mkdir(exist_ok=True)
    optimizer = LARS(
        net.parameters(), lr=0, weight_decay=args.wd, weight_decay_filter=exclude_bias_and_norm,
        lars_adaptation_filter=exclude_bias_and_norm,
    )  # fmt: skip
    weights = {"module." + name: value for name, value in net.state_dict().items()}
    torch.save(dict(epoch=1, model=weights, optimizer=optimizer.state_dict()), args.exp_dir / "model.pth")
    main_vicreg.aug.TrainTransform = TwoViews
    main_vicreg.main(args)
    torch.distributed.destroy_process_group()
    saved = torch.load(args.exp_dir / "model.pth", map_location="cpu", weights_only=False)
    backbone = torch.load(Path("exp") / "resnet50.pth", map_location="cpu")
    results = [torch.tensor(saved["epoch"]), backbone["conv1.weight"], backbone["layer2.0.conv2.weight"]]
    again = VICReg(args)
    again.load_state_dict({name.replace("module.", ""): value for name, value in saved["model"].items()})
    results += [again.projector[0].weight, again.projector[6].weight]
    return results


def train(net):
    return {"script": lambda: trained(net)}
