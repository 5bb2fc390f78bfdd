import importlib

import numpy as np
import torch


class Settings(dict):
    """The tables of pretrained weights in packages that have further encoders; none of them is used here."""

    def __missing__(self, key):
        return Settings()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Settings()


for family in ("torchvision_models", "dpn", "inceptionresnetv2", "inceptionv4", "senet", "xception"):
    importlib.import_module(f"pretrainedmodels.models.{family}").pretrained_settings = Settings()
importlib.import_module("efficientnet_pytorch.utils").url_map = Settings()
importlib.import_module("efficientnet_pytorch.utils").url_map_advprop = Settings()
importlib.import_module("timm.models.efficientnet").default_cfgs = Settings()

import segmentation_models_pytorch as smp
import segmentation_models_pytorch.utils
from segmentation_models_pytorch.encoders import encoders
from torchvision.models.resnet import BasicBlock

SIZE = 64

encoders["resnet10"] = {
    "encoder": encoders["resnet18"]["encoder"],
    "pretrained_settings": {},
    "params": {"out_channels": (3, 64, 64, 128, 256, 512), "block": BasicBlock, "layers": [1, 1, 1, 1]},
}


def build():
    unet = smp.Unet(
        "resnet10", encoder_weights=None, decoder_channels=(32, 32, 16, 16, 16), decoder_attention_type="scse",
        classes=1, activation="sigmoid",
    )
    fpn = smp.create_model(
        "fpn", "resnet10", encoder_weights=None, encoder_depth=4, decoder_pyramid_channels=32,
        decoder_segmentation_channels=32, decoder_dropout=0.0, classes=3, upsampling=2,
    )
    return unet, fpn


def batch(seed, classes):
    rng = np.random.RandomState(seed)
    mask = rng.randint(0, classes, (4, 1, 8, 8)).repeat(SIZE // 8, 2).repeat(SIZE // 8, 3)
    image = mask / classes + 0.5 * rng.randn(4, 3, SIZE, SIZE)
    return torch.from_numpy(image.astype("float32")), torch.from_numpy(mask)


def forward(unet, fpn):
    image, mask = batch(0, 3)
    unet_mask = unet.predict(image)
    fpn_mask = fpn.predict(image)
    multiclass = mask.squeeze(1)
    tp, fp, fn, tn = smp.metrics.get_stats(fpn_mask.argmax(1), multiclass, mode="multiclass", num_classes=3)
    return {
        "unet": unet_mask,
        "fpn": fpn_mask,
        "features": unet.encoder(image)[3],
        "dice": lambda: smp.losses.DiceLoss("multiclass")(fpn_mask, multiclass),
        "jaccard": lambda: smp.losses.JaccardLoss("multiclass")(fpn_mask, multiclass),
        "focal": lambda: smp.losses.FocalLoss("multiclass")(fpn_mask, multiclass),
        "lovasz": lambda: smp.losses.LovaszLoss("multiclass")(fpn_mask, multiclass),
        "iou": lambda: smp.metrics.iou_score(tp, fp, fn, tn, reduction="micro"),
    }


def trained_fpn(fpn):
    loss_fn = smp.losses.DiceLoss("multiclass", from_logits=True)
    focal = smp.losses.FocalLoss("multiclass")
    optimizer = torch.optim.SGD(fpn.parameters(), lr=0.01, momentum=0.9)
    fpn.train()
    losses = []
    for step in range(3):
        image, mask = batch(20 + step, 3)
        optimizer.zero_grad()
        logits_mask = fpn(image)
        loss = loss_fn(logits_mask, mask.squeeze(1)) + focal(logits_mask, mask.squeeze(1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(unet, fpn):
    loss = smp.utils.losses.DiceLoss()
    metrics = [smp.utils.metrics.IoU(threshold=0.5)]
    optimizer = torch.optim.Adam([dict(params=unet.parameters(), lr=0.0001)])
    train_epoch = smp.utils.train.TrainEpoch(
        unet, loss=loss, metrics=metrics, optimizer=optimizer, device="cpu", verbose=False
    )
    valid_epoch = smp.utils.train.ValidEpoch(unet, loss=loss, metrics=metrics, device="cpu", verbose=False)
    losses = []
    for epoch in range(3):
        image, mask = batch(10 + epoch, 2)
        losses.append(float(train_epoch.run([(image, mask.float())])["dice_loss"]))
    image, mask = batch(1, 2)
    losses.append(float(valid_epoch.run([(image, mask.float())])["dice_loss"]))
    return {
        "losses": losses,
        "decoder": unet.decoder.blocks[4].conv2[1].weight,
        "head": unet.segmentation_head[0].weight,
        "fpn_losses": lambda: trained_fpn(fpn),
        "fpn_head": lambda: fpn.segmentation_head[0].weight,
    }


def init():
    torch.manual_seed(1)
    unet, fpn = build()
    return {"unet": unet.decoder.blocks[0].conv1[0].weight, "fpn": fpn.decoder.p5.weight}
