import json
import os
from unittest.mock import MagicMock

import numpy as np
import torch
from PIL import Image

with open("NeuralStyleTransfer.ipynb", encoding="utf-8") as f:
    cells = ["".join(cell["source"]) for cell in json.load(f)["cells"] if cell["cell_type"] == "code"]
printed = []
# What %pylab brings, and what the cells print.
names = {
    "print": printed.append,
    "imshow": MagicMock(),
    "show": MagicMock(),
    "gcf": MagicMock(),
}


def run(*numbers):
    for number in numbers:
        lines = cells[number].splitlines()
        exec("\n".join(line for line in lines if not line.startswith("%")), names)


# The notebook's imports, its network and its losses.
run(0, 1, 2)

os.makedirs("Images", exist_ok=True)
os.makedirs("Models", exist_ok=True)
for number, name in enumerate(("vangogh_starry_night.jpg", "Tuebingen_Neckarfront.jpg")):
    pixels = np.random.RandomState(number).randint(0, 256, (8, 8, 3)).astype("uint8")
    Image.fromarray(pixels).resize((32, 32), Image.BICUBIC).save("Images/" + name)


def build():
    return names["VGG"](pool="max")


def image(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-100, 100, (1, 3, 32, 32)).astype("float32"))


def forward(vgg):
    layers = ["r11", "r22", "p3", "r51"]
    outputs = dict(zip(layers, vgg(image(0), layers)))
    outputs["gram"] = names["GramMatrix"]()(outputs["r22"])
    outputs["gram_loss"] = names["GramMSELoss"]()(
        outputs["r11"], names["GramMatrix"]()(vgg(image(1), ["r11"])[0])
    )
    return outputs


def train(vgg):
    """The rest of the notebook up to the result in low resolution."""
    torch.save(vgg.state_dict(), "Models/vgg_conv.pth")
    run(3, 4, 5, 7)
    content = names["opt_img"].data.clone()
    printed.clear()
    run(8)
    return {
        "content": content,
        "targets": [target.mean().item() for target in names["targets"]],
        "losses": [float(line.rpartition(" ")[2]) for line in printed[:3]],
    }
