import os

import numpy as np
import torch

from basicsr.models import create_model
from basicsr.models.losses import CharbonnierLoss, PSNRLoss

SIZE = 16
NETWORK = {
    "type": "Restormer",
    "inp_channels": 3,
    "out_channels": 3,
    "dim": 8,
    "num_blocks": [1, 1, 1, 1],
    "num_refinement_blocks": 1,
    "heads": [1, 2, 2, 4],
    "ffn_expansion_factor": 2.66,
    "bias": False,
    "LayerNorm_type": "WithBias",
    "dual_pixel_task": False,
}


def options():
    return {
        "name": "small",
        "model_type": "ImageCleanModel",
        "scale": 1,
        "num_gpu": 0,
        "dist": False,
        "is_train": True,
        "network_g": dict(NETWORK),
        "path": {"pretrain_network_g": None, "models": "kept", "training_states": "kept"},
        "train": {
            "use_grad_clip": True,
            "ema_decay": 0.9,
            "scheduler": {
                "type": "CosineAnnealingRestartCyclicLR",
                "periods": [2, 4],
                "restart_weights": [1, 1],
                "eta_mins": [0.0003, 0.000001],
            },
            "mixing_augs": {"mixup": False},
            "optim_g": {"type": "AdamW", "lr": 3e-4, "weight_decay": 1e-4, "betas": [0.9, 0.999]},
            "pixel_opt": {"type": "L1Loss", "loss_weight": 1, "reduction": "mean"},
        },
        "val": {
            "window_size": 8,
            "metrics": {"psnr": {"type": "calculate_psnr", "crop_border": 0, "test_y_channel": True}},
        },
    }


def build():
    return create_model(options()).net_g


def images(seed, rows=2, size=SIZE):
    return torch.from_numpy(np.random.RandomState(seed).rand(rows, 3, size, size).astype("float32"))


def forward(net):
    net.eval()
    made = net(images(0))
    biasless = net.encoder_level1[0].norm1
    return {
        "made": made,
        "norm": biasless(net.patch_embed(images(0))),
        "psnr": lambda: PSNRLoss(toY=True)(made, images(1)),
        "charbonnier": lambda: CharbonnierLoss()(made, images(1)),
    }


class Validation:
    class dataset:
        opt = {"name": "val"}

    def __iter__(self):
        yield {"lq": images(8, 1, 12), "gt": images(9, 1, 12), "lq_path": ["a/one.png"]}


def train(net):
    model = create_model(options())
    model.net_g.load_state_dict(net.state_dict())
    model.model_ema(0)
    os.makedirs("kept", exist_ok=True)
    losses, rates = [], []
    for step in range(1, 4):
        model.update_learning_rate(step, warmup_iter=-1)
        model.feed_train_data({"lq": images(step), "gt": images(step + 10)})
        model.optimize_parameters(step)
        losses.append(model.get_current_log()["l_pix"])
        rates.append(model.get_current_learning_rate()[0])
    psnr = model.validation(Validation(), 3, None, save_img=False, rgb2bgr=True, use_image=True)
    model.save(1, 3)
    state = torch.load("kept/3.state", weights_only=False)
    model.resume_training(state)
    kept = torch.load("kept/net_g_3.pth")
    return {
        "losses": losses,
        "rates": rates,
        "psnr": psnr,
        "temperature": model.net_g.latent[0].attn.temperature,
        "output": model.net_g.output.weight,
        "norm": model.net_g.refinement[0].norm2.body.bias,
        "ema": kept["params_ema"]["output.weight"],
        "iter": state["iter"],
    }
