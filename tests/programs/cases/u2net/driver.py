import importlib
import os
import random

import numpy as np
import skimage
import torch
from PIL import Image

# Small pictures, where the script looks for them, and what it takes of scikit-image. All are alike: they are shuffled.
rng = np.random.RandomState(0)
PICTURE = rng.randint(0, 256, (40, 36, 3)).astype("uint8")
LABEL = (rng.rand(40, 36) > 0.5).astype("uint8") * 255
for folder, name, pixels in (("im_aug", ".jpg", PICTURE), ("gt_aug", ".png", LABEL)):
    os.makedirs(f"train_data/DUTS/DUTS-TR/DUTS-TR/{folder}", exist_ok=True)
    for number in range(2):
        Image.fromarray(pixels).save(
            f"train_data/DUTS/DUTS-TR/DUTS-TR/{folder}/{number}.a{name}", format="PNG"
        )


def resize(image, shape, mode=None, order=1, preserve_range=False):
    rows = np.arange(shape[0] // 5) * image.shape[0] // (shape[0] // 5)
    columns = np.arange(shape[1] // 5) * image.shape[1] // (shape[1] // 5)
    return image[rows][:, columns] / (1.0 if preserve_range else 255.0)


skimage.io.imread = lambda path: np.array(Image.open(path))
skimage.transform.resize = resize

import data_loader  # noqa: E402


class Crop(data_loader.RandomCrop):
    """The random crop, without its choice."""

    def __call__(self, sample):
        return {key: value if key == "imidx" else value[:64, :64] for key, value in sample.items()}


data_loader.RandomCrop = Crop

os.environ["EPOCHS"] = "0"
if os.path.exists("begin.pth"):
    os.remove("begin.pth")

import u2net_train  # noqa: E402
from model import U2NET, U2NETP  # noqa: E402


def build():
    return U2NETP(3, 1), U2NET(3, 1)


def samples():
    dataset = data_loader.SalObjDataset(
        img_name_list=u2net_train.tra_img_name_list,
        lbl_name_list=u2net_train.tra_lbl_name_list,
        transform=u2net_train.transforms.Compose(
            [data_loader.RescaleT(320), data_loader.ToTensorLab(flag=0)]
        ),
    )
    return torch.utils.data.DataLoader(dataset, batch_size=2, shuffle=False)


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, 3, 64, 64).astype("float32"))


def forward(small, large):
    small.eval()
    large.eval()
    sample = next(iter(samples()))
    outputs = small(images(0))
    labels = (images(1)[:, :1] > 0).float()
    return {
        "image": sample["image"],
        "label": sample["label"],
        "small": list(outputs),
        "large": lambda: large(images(0))[0],
        "loss": lambda: list(u2net_train.muti_bce_loss_fusion(*outputs, labels)),
    }


def train(small, large):
    """The script trains while it is run: three epochs of one batch."""
    torch.save(small.state_dict(), "begin.pth")
    os.environ["EPOCHS"] = "3"
    random.seed(0)
    np.random.seed(0)
    script = importlib.reload(u2net_train)
    return {
        "loss": script.running_loss,
        "target": script.running_tar_loss,
        "iterations": script.ite_num,
        "first": script.net.stage1.rebnconvin.conv_s1.weight,
        "norm": script.net.stage3.rebnconv1.bn_s1.running_var,
        "side": script.net.side3.weight,
        "out": script.net.outconv.bias,
    }
