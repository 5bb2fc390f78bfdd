import argparse

import numpy as np
import torch
import torch.nn as nn

import train as deeplab
from modeling.deeplab import DeepLab

NUM_CLASSES = 21

args = argparse.Namespace(
    backbone="mobilenet", out_stride=16, dataset="pascal", use_sbd=False, workers=0, base_size=65, crop_size=65,
    sync_bn=False, freeze_bn=False, loss_type="ce", epochs=50, start_epoch=0, batch_size=4, test_batch_size=4,
    use_balanced_weights=False, lr=0.0007, lr_scheduler="poly", momentum=0.9, weight_decay=5e-4, nesterov=False,
    no_cuda=True, cuda=False, gpu_ids=[0], seed=1, resume=None, checkname="deeplab-mobilenet", ft=False,
    eval_interval=1, no_val=False,
)


class History:
    def __init__(self):
        self.scalars = {}

    def add_scalar(self, tag, value, step):
        self.scalars.setdefault(tag, []).append(value)

    def add_image(self, tag, image, step):
        pass


def samples(seed, count):
    rng = np.random.RandomState(seed)
    result = []
    for _ in range(count):
        image = torch.from_numpy(rng.randn(args.batch_size, 3, 65, 65).astype("float32"))
        label = rng.randint(0, NUM_CLASSES, (args.batch_size, 65, 65)).astype("float32")
        label[:, :3] = 255  # the border of objects
        result.append({"image": image, "label": torch.from_numpy(label)})
    return result


def no_dropout(model):
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.p = 0.0


def build():
    return DeepLab(
        num_classes=NUM_CLASSES, backbone=args.backbone, output_stride=args.out_stride,
        sync_bn=args.sync_bn, freeze_bn=args.freeze_bn,
    )


def forward(model):
    model.eval()
    image = samples(0, 1)[0]["image"]
    with torch.no_grad():
        x, low_level_feat = model.backbone(image)
        return {"features": x, "low_level": low_level_feat, "output": model(image)}


def train(model):
    # ten batches: training() shows ten results in an epoch
    loader = samples(1, 10)
    deeplab.make_data_loader = lambda args, **kwargs: (loader, loader[:2], None, NUM_CLASSES)
    trainer = deeplab.Trainer(args)
    trainer.writer = History()
    trainer.model.load_state_dict(model.state_dict())
    no_dropout(trainer.model)
    trainer.training(0)

    scalars = trainer.writer.scalars
    return {
        "losses": scalars["train/total_loss_iter"],
        "epoch": scalars["train/total_loss_epoch"],
        "lr": [group["lr"] for group in trainer.optimizer.param_groups],
        "low_level": trainer.model.decoder.conv1.weight,
        "first": trainer.model.backbone.features[0][0].weight,
    }
