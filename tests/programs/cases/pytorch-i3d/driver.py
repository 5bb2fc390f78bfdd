import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import videotransforms
from pytorch_i3d import InceptionI3d, InceptionModule, MaxPool3dSamePadding, Unit3D
from torch.autograd import Variable
from torchvision import transforms

CLASSES = 5


def build():
    i3d = InceptionI3d(7, in_channels=2, dropout_keep_prob=0.0)
    i3d.replace_logits(CLASSES)
    shallow = InceptionI3d(7, final_endpoint="Conv3d_2b_1x1", in_channels=3)
    return i3d, shallow, InceptionModule(6, [4, 6, 8, 2, 4, 4], "mixed")


def clips(seed, channels=2, frames=9, size=36, count=1):
    """As the dataset gives them: frames first, then channels first."""
    rng = np.random.RandomState(seed)
    crop = transforms.Compose([videotransforms.CenterCrop(32)])
    made = [crop((rng.rand(frames, size, size, channels) * 2 - 1).astype("float32")) for _ in range(count)]
    return torch.from_numpy(np.stack(made).transpose([0, 4, 1, 2, 3]).copy())


def labels(seed, frames, count=1):
    return torch.from_numpy((np.random.RandomState(seed).rand(count, CLASSES, frames) < 0.3).astype("float32"))


def forward(i3d, shallow, mixed):
    for each in (i3d, shallow, mixed):
        each.eval()
    video = torch.from_numpy(np.random.RandomState(2).randn(1, 6, 5, 9, 7).astype("float32"))
    big = torch.from_numpy(np.random.RandomState(3).randn(1, 2, 16, 224, 224).astype("float32"))
    pool = MaxPool3dSamePadding(kernel_size=[1, 3, 3], stride=(1, 2, 2), padding=0)
    unit = Unit3D(6, 4, kernel_shape=[1, 3, 2], stride=(1, 2, 2), use_batch_norm=False, activation_fn=None)
    random.seed(3)
    cropped = videotransforms.RandomCrop(4)(np.arange(2 * 6 * 7 * 3).reshape(2, 6, 7, 3))
    return {
        "features": lambda: i3d.extract_features(big),
        "logits": lambda: i3d(big),
        "names": lambda: [len(shallow.end_points), len(i3d.end_points), len(i3d.state_dict()) > 300],
        "shape": lambda: unit(video).shape,
        "pool": lambda: pool(video),
        "mixed": lambda: mixed(video),
        # What is built up to an endpoint alone is not registered, so its weights are nobody's to give.
        "endpoint": lambda: nn.Sequential(*shallow.end_points.values())(clips(1, 3)).shape,
        "cropped": lambda: cropped,
        "flipped": lambda: videotransforms.RandomHorizontalFlip(p=1.1)(np.arange(24).reshape(2, 2, 3, 2)),
    }


def train(i3d, shallow, mixed):
    # What run does, with the same loss, for clips that are too small for the pool of two by seven by seven.
    i3d.avg_pool = nn.AvgPool3d(kernel_size=[1, 1, 1], stride=(1, 1, 1))
    net = nn.DataParallel(i3d)
    optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=0.0000001)
    lr_sched = optim.lr_scheduler.MultiStepLR(optimizer, [1, 3])
    num_steps_per_update = 2
    kept, rates = [], []
    steps = 0
    for phase in ["train", "val", "train"]:
        if phase == "train":
            net.train(True)
        else:
            net.train(False)
        tot_loss = tot_loc_loss = tot_cls_loss = 0.0
        num_iter = 0
        optimizer.zero_grad()
        for data in [(clips(seed, count=2), labels(seed, 9, 2)) for seed in (10, 11, 12, 13)]:
            num_iter += 1
            inputs, target = data
            inputs = Variable(inputs)
            t = inputs.size(2)
            target = Variable(target)

            per_frame_logits = net(inputs)
            per_frame_logits = F.upsample(per_frame_logits, t, mode="linear")

            loc_loss = F.binary_cross_entropy_with_logits(per_frame_logits, target)
            tot_loc_loss += loc_loss.item()
            cls_loss = F.binary_cross_entropy_with_logits(
                torch.max(per_frame_logits, dim=2)[0], torch.max(target, dim=2)[0]
            )
            tot_cls_loss += cls_loss.item()

            loss = (0.5 * loc_loss + 0.5 * cls_loss) / num_steps_per_update
            tot_loss += loss.item()
            loss.backward()

            if num_iter == num_steps_per_update and phase == "train":
                steps += 1
                num_iter = 0
                optimizer.step()
                optimizer.zero_grad()
                lr_sched.step()
                rates.append(optimizer.param_groups[0]["lr"])
                torch.save(net.module.state_dict(), str(steps).zfill(6) + ".pt")
        kept += [tot_loss, tot_loc_loss, tot_cls_loss]
    saved = torch.load("000003.pt")
    return {
        "losses": kept,
        "rates": rates,
        "saved": saved["logits.conv3d.weight"],
        "first": i3d.Conv3d_1a_7x7.conv3d.weight,
        "mean": i3d.Mixed_4b.b1b.bn.running_mean,
        "bias": i3d.logits.conv3d.bias,
    }


def init():
    torch.manual_seed(0)
    i3d = InceptionI3d(400, in_channels=3)
    return {"conv": i3d.Mixed_5b.b1b.conv3d.weight, "logits": i3d.logits.conv3d.bias}
