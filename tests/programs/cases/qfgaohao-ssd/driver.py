import sys

import numpy as np
import torch
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, Dataset

sys.argv = ["train_ssd.py", "--net", "mb2-ssd-lite", "--datasets", "data", "--lr", "0.001"]

import train_ssd
from vision.nn.multibox_loss import MultiboxLoss
from vision.ssd.config import mobilenetv1_ssd_config as config
from vision.ssd.mobilenet_v2_ssd_lite import create_mobilenetv2_ssd_lite, create_mobilenetv2_ssd_lite_predictor
from vision.ssd.mobilenetv1_ssd import create_mobilenetv1_ssd
from vision.ssd.mobilenetv1_ssd_lite import create_mobilenetv1_ssd_lite
from vision.ssd.ssd import MatchPrior
from vision.utils import box_utils
from vision.utils.misc import freeze_net_layers

CLASSES = 4


class Boxes(Dataset):
    def __init__(self, seed, size):
        self.rng = np.random.RandomState(seed)
        self.target_transform = MatchPrior(config.priors, config.center_variance, config.size_variance, 0.5)
        self.items = [self.item(i) for i in range(size)]

    def item(self, i):
        image = self.rng.randn(3, 300, 300).astype("float32")
        corners = self.rng.rand(2, 2) * 0.4
        boxes = np.concatenate([corners, corners + 0.25 + self.rng.rand(2, 2) * 0.3], 1).astype("float32")
        labels = self.rng.randint(1, CLASSES, 2).astype("int64")
        return (torch.from_numpy(image), *self.target_transform(boxes, labels))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def build():
    net = create_mobilenetv2_ssd_lite(CLASSES, width_mult=0.25)
    net.init()
    lite = create_mobilenetv1_ssd_lite(CLASSES)
    lite.init()
    return net, create_mobilenetv1_ssd(CLASSES), lite


def init():
    torch.manual_seed(1)
    net = create_mobilenetv2_ssd_lite(CLASSES, width_mult=0.25)
    net.init()
    return {"base": net.base_net[3].conv[0].weight, "head": net.classification_headers[1][3].weight}


def forward(net, plain, lite):
    net.eval()
    plain.eval()
    data = Boxes(0, 1)
    image, locations, labels = data[0]
    with torch.no_grad():
        confidence, predicted = net(image.unsqueeze(0))
    boxes = box_utils.convert_locations_to_boxes(predicted, config.priors, 0.1, 0.2)
    found = torch.cat([box_utils.center_form_to_corner_form(boxes)[0], confidence[0, :, 1:2]], 1)[:40]
    return {
        "priors": config.priors,
        "locations": locations,
        "labels": labels,
        "confidence": confidence,
        "predicted": predicted,
        "plain": lambda: plain(image.unsqueeze(0))[0],
        "lite": lambda: list(lite(image.unsqueeze(0))),
        "hard": lambda: box_utils.hard_nms(found, 0.45, top_k=5),
        "soft": lambda: box_utils.nms(found, "soft", score_threshold=0.01, sigma=0.5, top_k=5),
        "predictor": lambda: predict(net),
    }


def predict(net):
    predictor = create_mobilenetv2_ssd_lite_predictor(net, candidate_size=20)
    predictor.transform = lambda image: torch.from_numpy(image.transpose(2, 0, 1) / 128)
    net.is_test, net.priors = True, config.priors
    boxes, labels, probs = predictor.predict(np.random.RandomState(4).randn(300, 300, 3).astype("float32"), 3, 0.2)
    net.is_test = False
    return [boxes, labels, probs]


def train(net, plain, lite):
    figures = []
    lr = train_ssd.args.lr
    freeze_net_layers(plain.base_net[:3])
    for model in (lite, plain):
        params = [
            {"params": model.base_net.parameters(), "lr": lr / 2},
            {
                "params": train_ssd.itertools.chain(
                    model.source_layer_add_ons.parameters(), model.extras.parameters()
                ),
                "lr": lr,
            },
            {
                "params": train_ssd.itertools.chain(
                    model.regression_headers.parameters(), model.classification_headers.parameters()
                )
            },
        ]
        criterion = MultiboxLoss(
            config.priors, iou_threshold=0.5, neg_pos_ratio=3, center_variance=0.1, size_variance=0.2, device="cpu"
        )
        optimizer = torch.optim.SGD(params, lr=lr, momentum=0.9, weight_decay=5e-4)
        scheduler = MultiStepLR(optimizer, milestones=[1, 5], gamma=0.1, last_epoch=-1)
        for epoch in range(2):
            train_ssd.train(
                DataLoader(Boxes(10 + epoch, 4), 2), model, criterion, optimizer, device="cpu", debug_steps=1, epoch=epoch
            )
            scheduler.step()
            figures += train_ssd.test(DataLoader(Boxes(20, 2), 2), model, criterion, "cpu")
        figures.append(optimizer.param_groups[0]["lr"])
    lite.save("ssd.pth")
    lite.load("ssd.pth")
    return {
        "figures": figures,
        "base": lite.base_net[5][0].weight,
        "head": lite.regression_headers[0][2].weight,
        "plain": plain.classification_headers[0].weight,
        "frozen": plain.base_net[0][0].weight,
    }
