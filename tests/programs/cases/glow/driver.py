import numpy as np
import torch
from model import Glow
from torch import optim
from train import calc_loss, calc_z_shapes

SIZE, FLOWS, BLOCKS, BITS = 16, 2, 2, 5


def build():
    return Glow(3, FLOWS, BLOCKS, affine=True, conv_lu=True), Glow(
        3, FLOWS, BLOCKS, affine=False, conv_lu=False
    )


def images(seed):
    """Pictures of few colours, made continuous by noise as the repository's train() does."""
    random = np.random.RandomState(seed)
    n_bins = 2.0**BITS
    image = torch.from_numpy(random.uniform(0, 1, (4, 3, SIZE, SIZE)).astype("float32")) * 255
    image = torch.floor(image / 2 ** (8 - BITS))
    image = image / n_bins - 0.5
    return image + torch.from_numpy(random.uniform(0, 1, (4, 3, SIZE, SIZE)).astype("float32")) / n_bins


def forward(affine, additive):
    results = {}
    for name, model in (("affine", affine), ("additive", additive)):
        model.eval()
        with torch.no_grad():
            model(images(0))
            log_p, logdet, z_outs = model(images(1))
            results[f"{name}_log_p"] = log_p
            results[f"{name}_logdet"] = logdet
            results[f"{name}_z"] = z_outs
            results[f"{name}_again"] = model.reverse(z_outs, reconstruct=True)
    z_sample = [
        torch.from_numpy(np.random.RandomState(2).randn(2, *shape).astype("float32")) * 0.7
        for shape in calc_z_shapes(3, SIZE, FLOWS, BLOCKS)
    ]
    with torch.no_grad():
        results["sample"] = additive.reverse(z_sample)
    return results


def train(affine, additive):
    results = {}
    for name, model in (("affine", affine), ("additive", additive)):
        model.train()
        optimizer = optim.Adam(model.parameters(), lr=1e-3)
        losses = []
        for i in range(4):
            if i == 0:
                with torch.no_grad():
                    log_p, logdet, _ = model(images(i))
                    continue
            else:
                log_p, logdet, _ = model(images(i))
            logdet = logdet.mean()
            loss, log_p, log_det = calc_loss(log_p, logdet, SIZE, 2.0**BITS)
            model.zero_grad()
            loss.backward()
            optimizer.param_groups[0]["lr"] = 1e-4
            optimizer.step()
            losses += [loss.item(), log_p.item(), log_det.item()]
        results[f"{name}_losses"] = losses
        results[f"{name}_norm"] = model.blocks[0].flows[0].actnorm.scale
        results[f"{name}_coupling"] = model.blocks[1].flows[0].coupling.net[0].weight
    results["lower"] = affine.blocks[0].flows[1].invconv.w_l
    return results


def init():
    net = Glow(3, FLOWS, BLOCKS)
    return {"coupling": net.blocks[0].flows[0].coupling.net[2].weight}
