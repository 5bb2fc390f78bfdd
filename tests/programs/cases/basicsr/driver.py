import numpy as np
import torch

from basicsr.archs import build_network
from basicsr.models import build_model

NETWORKS = {
    "srresnet": {
        "type": "MSRResNet",
        "num_in_ch": 3,
        "num_out_ch": 3,
        "num_feat": 16,
        "num_block": 2,
        "upscale": 4,
    },
    "discriminator": {"type": "UNetDiscriminatorSN", "num_in_ch": 3, "num_feat": 8},
    "swinir": {
        "type": "SwinIR",
        "img_size": 8,
        "window_size": 4,
        "depths": [2, 2],
        "embed_dim": 12,
        "num_heads": [2, 2],
        "mlp_ratio": 2,
        "upscale": 4,
        "upsampler": "pixelshuffledirect",
        "drop_path_rate": 0.0,
    },
    "rrdbnet": {
        "type": "RRDBNet",
        "num_in_ch": 3,
        "num_out_ch": 3,
        "num_feat": 8,
        "num_block": 1,
        "num_grow_ch": 4,
    },
}


def options(model_type, network_g, network_d=None):
    opt = {
        "name": "small",
        "model_type": model_type,
        "num_gpu": 0,
        "dist": False,
        "is_train": True,
        "network_g": network_g,
        "path": {},
        "train": {
            "ema_decay": 0.9,
            "optim_g": {"type": "Adam", "lr": 1e-3, "weight_decay": 0, "betas": [0.9, 0.99]},
            "scheduler": {
                "type": "CosineAnnealingRestartLR",
                "periods": [4, 4],
                "restart_weights": [1, 1],
                "eta_min": 1e-7,
            },
            "pixel_opt": {"type": "L1Loss", "loss_weight": 1.0, "reduction": "mean"},
        },
    }
    if network_d:
        opt["network_d"] = network_d
        opt["train"]["optim_d"] = {"type": "Adam", "lr": 1e-3, "weight_decay": 0, "betas": [0.9, 0.99]}
        opt["train"]["gan_opt"] = {
            "type": "GANLoss",
            "gan_type": "vanilla",
            "real_label_val": 1.0,
            "fake_label_val": 0.0,
            "loss_weight": 0.1,
        }
    return opt


def build():
    return tuple(build_network(network) for network in NETWORKS.values())


def images(seed):
    rng = np.random.RandomState(seed)
    lq, gt = rng.rand(2, 3, 8, 8), rng.rand(2, 3, 32, 32)
    return {"lq": torch.from_numpy(lq.astype("float32")), "gt": torch.from_numpy(gt.astype("float32"))}


def forward(srresnet, discriminator, swinir, rrdbnet):
    data = images(0)
    for net in (srresnet, swinir, rrdbnet):
        net.eval()
    return {
        "srresnet": lambda: srresnet(data["lq"]),
        "discriminator": lambda: discriminator(data["gt"]),
        "swinir": lambda: swinir(data["lq"]),
        "rrdbnet": lambda: rrdbnet(data["lq"]),
    }


def trained(model):
    logs = []
    for current_iter in range(1, 4):
        model.update_learning_rate(current_iter, warmup_iter=-1)
        model.feed_data(images(current_iter))
        model.optimize_parameters(current_iter)
        logs += list(model.get_current_log().values())
    model.test()
    return logs, model.output


def started(model_type, network_g, net_g, network_d=None, net_d=None):
    model = build_model(options(model_type, network_g, network_d))
    model.net_g.load_state_dict(net_g.state_dict())
    model.model_ema(0)
    if net_d is not None:
        model.net_d.load_state_dict(net_d.state_dict())
    return model


def train(srresnet, discriminator, swinir, rrdbnet):
    gan = started("SRGANModel", NETWORKS["srresnet"], srresnet, NETWORKS["discriminator"], discriminator)
    logs, output = trained(gan)
    return {
        "logs": logs,
        "output": output,
        "weight": gan.net_g.conv_last.weight,
        "lr": gan.get_current_learning_rate(),
        "swinir": lambda: trained(started("SwinIRModel", NETWORKS["swinir"], swinir))[0],
        "rrdbnet": lambda: trained(started("SRModel", NETWORKS["rrdbnet"], rrdbnet))[0],
    }
