import os
import sys
import tempfile

import numpy as np
import torch

from models.models import create_model
from options.train_options import TrainOptions

LABELS, SIZE = 5, 32
folder = tempfile.mkdtemp()


def options(*more):
    """What a user gives the script, small."""
    arguments = sys.argv
    sys.argv = [
        "train.py", "--gpu_ids", "-1", "--label_nc", str(LABELS), "--ngf", "4", "--ndf", "4", "--nef", "4",
        "--n_downsample_global", "2", "--n_blocks_global", "1", "--n_blocks_local", "1", "--num_D", "2",
        "--n_layers_D", "2", "--no_vgg_loss", "--checkpoints_dir", folder, "--niter_decay", "4", *more,
    ]
    try:
        return TrainOptions().parse(save=False)
    finally:
        sys.argv = arguments


def build():
    plain = create_model(options("--instance_feat", "--n_downsample_E", "2", "--pool_size", "2"))
    local = create_model(options("--netG", "local", "--niter_fix_global", "1", "--norm", "batch", "--no_ganFeat_loss"))
    return plain, local


def inputs(seed):
    random = np.random.RandomState(seed)
    label = torch.from_numpy(random.randint(0, LABELS, (1, 1, SIZE, SIZE)).astype("float32"))
    inst = torch.from_numpy(np.repeat(np.repeat(random.randint(0, 4, (1, 1, 8, 8)), 4, 2), 4, 3).astype("float32"))
    image = torch.from_numpy(random.uniform(-1, 1, (1, 3, SIZE, SIZE)).astype("float32"))
    return label, inst, image


def forward(plain, local):
    plain.eval()
    local.eval()
    label, inst, image = inputs(0)
    with torch.no_grad():
        input_label, _, _, _ = plain.encode_input(label, inst, image, None)
        features = plain.netE.forward(image, inst)
        losses, generated = plain(label, inst, image, None, infer=True)
    return {
        "input": input_label,
        "features": features,
        "generated": generated,
        "losses": torch.stack([torch.as_tensor(loss).mean() for loss in losses]),
        "local": lambda: local.inference(label, inst),
    }


def step(model, opt, data):
    """One iteration of train.py."""
    label, inst, image = data
    losses, generated = model(label, inst, image, None, infer=False)
    losses = [torch.mean(x) if not isinstance(x, int) else x for x in losses]
    loss_dict = dict(zip(model.loss_names, losses))
    loss_D = (loss_dict["D_fake"] + loss_dict["D_real"]) * 0.5
    loss_G = loss_dict["G_GAN"] + loss_dict.get("G_GAN_Feat", 0) + loss_dict.get("G_VGG", 0)
    model.optimizer_G.zero_grad()
    loss_G.backward()
    model.optimizer_G.step()
    model.optimizer_D.zero_grad()
    loss_D.backward()
    model.optimizer_D.step()
    return {k: v.data.item() if not isinstance(v, int) else v for k, v in loss_dict.items()}


def train(plain, local):
    import random

    random.seed(2)
    values = []
    for model in (plain, local):
        model.train()
        for epoch in range(3):
            errors = step(model, model.opt, inputs(epoch))
            values.extend(errors[name] for name in model.loss_names)
            if epoch == 1 and model is local:
                model.update_fixed_params()
            if epoch > 0:
                model.update_learning_rate()
    plain.save("latest")
    restored = torch.load(os.path.join(plain.save_dir, "latest_net_G.pth"))
    return {
        "losses": values,
        "first": next(iter(restored.values())),
        "G": list(plain.netG.parameters())[0],
        "D": list(plain.netD.parameters())[0],
        "local": list(local.netG.parameters())[-2],
    }
