import os

import numpy as np
import torch

from basicsr.metrics import calculate_psnr
from basicsr.models import create_model
from basicsr.models.archs.Baseline_arch import Baseline
from basicsr.models.archs.NAFNet_arch import NAFNetLocal
from basicsr.models.archs.NAFSSR_arch import NAFNetSR
from basicsr.models.losses import PSNRLoss
from basicsr.utils import tensor2img

SIZE = 16


def options():
    return {
        "name": "small",
        "model_type": "ImageRestorationModel",
        "scale": 1,
        "num_gpu": 0,
        "dist": False,
        "is_train": True,
        "network_g": {
            "type": "NAFNetLocal",
            "width": 8,
            "enc_blk_nums": [1, 1],
            "middle_blk_num": 1,
            "dec_blk_nums": [1, 1],
            "train_size": (1, 3, SIZE, SIZE),
        },
        "path": {"pretrain_network_g": None, "models": "kept", "training_states": "kept"},
        "train": {
            "use_grad_clip": True,
            "scheduler": {"type": "TrueCosineAnnealingLR", "T_max": 4, "eta_min": 1e-7},
            "optim_g": {"type": "AdamW", "lr": 1e-3, "weight_decay": 1e-3, "betas": [0.9, 0.9]},
            "pixel_opt": {"type": "PSNRLoss", "loss_weight": 1, "reduction": "mean"},
        },
        "val": {
            "max_minibatch": 2,
        },
    }


def build():
    local = create_model(options()).net_g
    baseline = Baseline(
        width=8, enc_blk_nums=[1], middle_blk_num=1, dec_blk_nums=[1], dw_expand=1, ffn_expand=2
    )
    stereo = NAFNetSR(
        up_scale=2,
        width=8,
        num_blks=2,
        img_channel=3,
        drop_path_rate=0.0,
        fusion_from=0,
        fusion_to=2,
        dual=True,
    )
    return local, baseline, stereo


def images(seed, rows=2, channels=3, size=SIZE):
    return torch.from_numpy(np.random.RandomState(seed).rand(rows, channels, size, size).astype("float32"))


def forward(local, baseline, stereo):
    for net in (local, baseline, stereo):
        net.eval()
    made = local(images(0))
    wide = images(1, 1, 3, 30)
    fast = NAFNetLocal(width=4, enc_blk_nums=[1], dec_blk_nums=[1], train_size=(1, 3, 16, 16), fast_imp=True)
    return {
        "local": made,
        "larger": lambda: local(wide),
        "baseline": lambda: baseline(images(2)),
        "stereo": lambda: stereo(images(3, 2, 6, 12)),
        "fast": lambda: list(fast(wide).shape),
        "psnr": lambda: PSNRLoss(toY=True)(made, images(1)),
    }


def train(local, baseline, stereo):
    model = create_model(options())
    model.net_g.load_state_dict(local.state_dict())
    os.makedirs("kept", exist_ok=True)
    losses, rates = [], []
    for step in range(1, 4):
        model.update_learning_rate(step, warmup_iter=2)
        model.feed_data({"lq": images(step), "gt": images(step + 10)})
        model.optimize_parameters(step, None)
        losses.append(model.get_current_log()["l_pix"])
        rates.append(model.get_current_learning_rate()[0])
    model.feed_data({"lq": images(8, 3, 3, 24), "gt": images(9, 3, 3, 24)}, is_val=True)
    model.test()
    visuals = model.get_current_visuals()
    psnr = calculate_psnr(tensor2img([visuals["result"][:1]]), tensor2img([visuals["gt"][:1]]), crop_border=0)
    model.save(1, 3)
    kept = torch.load("kept/net_g_3.pth")
    return {
        "losses": losses,
        "rates": rates,
        "psnr": psnr,
        "intro": model.net_g.intro.weight,
        "beta": model.net_g.middle_blks[0].beta,
        "norm": model.net_g.encoders[0][0].norm1.weight,
        "kept": kept["params"]["ending.bias"],
    }
