import numpy as np
import torch
import torch.nn as nn
from torch.optim import AdamW

from vector_quantize_pytorch import FSQ, LFQ, ResidualVQ, Sequential, SimVQ, VectorQuantize

CODES = 16


def autoencoder(dim, quantizer):
    """The one of the repository's examples, small."""
    return Sequential(
        nn.Conv2d(1, 4, kernel_size=3, stride=1, padding=1),
        nn.MaxPool2d(kernel_size=2, stride=2),
        nn.GELU(),
        nn.Conv2d(4, dim, kernel_size=3, stride=1, padding=1),
        nn.MaxPool2d(kernel_size=2, stride=2),
        quantizer,
        nn.Upsample(scale_factor=2, mode="nearest"),
        nn.Conv2d(dim, 4, kernel_size=3, stride=1, padding=1),
        nn.GELU(),
        nn.Upsample(scale_factor=2, mode="nearest"),
        nn.Conv2d(4, 1, kernel_size=3, stride=1, padding=1),
    )


def build():
    return (
        autoencoder(8, VectorQuantize(dim=8, codebook_size=CODES, accept_image_fmap=True, rotation_trick=True)),
        autoencoder(
            8,
            VectorQuantize(
                dim=8, codebook_size=CODES, codebook_dim=4, use_cosine_sim=True, accept_image_fmap=True,
                rotation_trick=False, orthogonal_reg_weight=0.5,
            ),
        ),
        autoencoder(4, FSQ([5, 4, 3, 3])),
        ResidualVQ(dim=8, num_quantizers=2, codebook_size=CODES, decay=0.8, rotation_trick=False),
        LFQ(codebook_size=16, dim=6, entropy_loss_weight=0.1, diversity_gamma=1.0),
        SimVQ(dim=6, codebook_size=CODES, rotation_trick=False),
    )  # fmt: skip


def values(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def pictures(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (4, 1, 16, 16)).astype("float32"))


def forward(vq, cosine, fsq, residual, lfq, sim):
    for net in (vq, cosine, fsq, residual, lfq, sim):
        net.eval()
    indices = torch.from_numpy(np.random.RandomState(1).randint(0, CODES, (2, 5)))
    return {
        "vq": lambda: list(vq(pictures(0))),
        "cosine": lambda: list(cosine(pictures(0))),
        "fsq": lambda: list(fsq(pictures(0))),
        "residual": lambda: list(residual(values(0, 2, 7, 8))),
        "lfq": lambda: list(lfq(values(1, 2, 5, 6))),
        "sim": lambda: list(sim(values(2, 2, 5, 6))),
        "codes": lambda: [
            vq.fns[5].get_codes_from_indices(indices),
            sim.indices_to_codes(indices),
            lfq.indices_to_codes(indices),
        ],
        "fsq_codes": lambda: fsq.fns[5].indices_to_codes(indices.view(2, 5, 1)),
    }


def trained(model, alpha=10):
    """The loop of the examples."""
    opt = AdamW(model.parameters(), lr=1e-3)
    model.train()
    losses = []
    for step in range(3):
        opt.zero_grad()
        x = pictures(10 + step)
        out, indices, *rest = model(x)
        out = out.clamp(-1.0, 1.0)
        rec_loss = (out - x).abs().mean()
        loss = rec_loss + alpha * rest[0] if rest else rec_loss
        loss.backward()
        opt.step()
        losses += [rec_loss.item(), indices.unique().numel() / CODES * 100]
    return losses


def quantized(net, dim):
    head = nn.Linear(dim, dim)
    with torch.no_grad():
        head.weight.copy_(values(3, dim, dim) / dim)
        head.bias.zero_()
    opt = AdamW([*head.parameters(), *net.parameters()], lr=1e-3)
    net.train()
    losses = []
    for step in range(3):
        opt.zero_grad()
        x = values(20 + step, 2, 6, dim)
        quantize, indices, commit_loss, *_ = net(head(x))
        loss = (quantize - x).pow(2).mean() + commit_loss.sum()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return [losses, head.weight]


def train(vq, cosine, fsq, residual, lfq, sim):
    return {
        "vq": lambda: [
            trained(vq),
            vq.fns[0].weight,
            vq.fns[5]._codebook.embed,
            vq.fns[5]._codebook.cluster_size,
        ],
        "cosine": lambda: [trained(cosine), cosine.fns[3].weight, cosine.fns[5].codebook],
        "fsq": lambda: [trained(fsq), fsq.fns[0].weight],
        "residual": lambda: [*quantized(residual, 8), residual.layers[1]._codebook.embed],
        "lfq": lambda: [*quantized(lfq, 6), lfq.project_in.weight],
        "sim": lambda: [*quantized(sim, 6), sim.code_transform.weight],
    }
