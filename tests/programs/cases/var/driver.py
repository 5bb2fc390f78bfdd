from functools import partial

import numpy as np
import torch

from models import VAR, VQVAE
from models.helpers import gumbel_softmax_with_rng, sample_with_top_k_top_p_
from trainer import VARTrainer
from utils import lr_control, misc
from utils.amp_sc import AmpOptimizer

PATCHES = (1, 2, 4)
misc.init_distributed_mode(None)


def build():
    vae = VQVAE(vocab_size=24, z_channels=8, ch=32, test_mode=True, share_quant_resi=4, v_patch_nums=PATCHES)
    settings = {
        "num_classes": 5,
        "depth": 2,
        "embed_dim": 32,
        "num_heads": 2,
        "norm_eps": 1e-6,
        "cond_drop_rate": 0.0,
    }
    var = VAR(vae, attn_l2_norm=True, patch_nums=PATCHES, **settings)
    shared = VAR(vae, shared_aln=True, patch_nums=PATCHES, **settings)
    var.init_weights(init_adaln=0.5, init_adaln_gamma=1e-2, init_head=0.02, init_std=-1)
    return vae, var, shared


def images(seed, count=2):
    rng = np.random.RandomState(seed)
    coarse = np.kron(rng.uniform(-1, 1, (count, 3, 8, 8)), np.ones((1, 1, 8, 8)))
    return torch.from_numpy(coarse.astype("float32")), torch.from_numpy(rng.randint(0, 5, count))


def forward(vae, var, shared):
    for net in (vae, var, shared):
        net.eval()
    seen, labels = images(1)
    rng = np.random.RandomState(2)
    logits = torch.from_numpy(rng.randn(2, 3, 24).astype("float32"))
    with torch.no_grad():
        tokens = vae.img_to_idxBl(seen)
        teacher = vae.quantize.idxBl_to_var_input(tokens)
    return {
        "tokens": tokens,
        "teacher": teacher,
        "logits": var(labels, teacher),
        "shared": lambda: shared(labels, teacher),
        "again": lambda: vae.idxBl_to_img(tokens, same_shape=True),
        "last": lambda: vae.idxBl_to_img(tokens, same_shape=False, last_one=True),
        "reconstructed": lambda: vae.img_to_reconstructed_img(seen),
        "generated": lambda: var.autoregressive_infer_cfg(2, labels, g_seed=0, cfg=1.5, top_k=1),
        "one": lambda: shared.autoregressive_infer_cfg(2, 3, cfg=4, top_k=1, top_p=0.5),
        "smooth": lambda: (
            var.autoregressive_infer_cfg(2, None, g_seed=1, top_k=5, top_p=0.9, more_smooth=True).shape
        ),
        "sampled": lambda: sample_with_top_k_top_p_(logits.clone(), top_k=1, num_samples=2),
        "gumbel": lambda: gumbel_softmax_with_rng(logits, hard=True, rng=torch.Generator()).sum(-1),
    }


class Metrics:
    """What the trainer tells of an iteration."""

    log_iters = {2, 4}

    def __init__(self):
        self.kept = []

    def update(self, head=None, step=None, **values):
        self.kept += [float(values[name]) for name in sorted(values)]


def train(vae, var, shared):
    names, parameters, groups = lr_control.filter_params(
        var, nowd_keys=("pos_start", "pos_1LC", "lvl_embed", "class_emb", "scale_mul")
    )
    optimizer = partial(torch.optim.AdamW, betas=(0.9, 0.95), fused=False)(
        params=groups, lr=1e-3, weight_decay=0
    )
    amp = AmpOptimizer(
        0, optimizer=optimizer, names=names, paras=parameters, grad_clip=2.0, n_gradient_accumulation=2
    )
    trainer = VARTrainer(
        "cpu", PATCHES, tuple(16 * one for one in PATCHES), vae, var, var, amp, label_smooth=0.1
    )
    metrics, board, rates = Metrics(), Metrics(), []
    for step in range(4):
        rates.append(lr_control.lr_wd_annealing("lin0", optimizer, 1e-3, 0.05, 0.0, step, 2, 8))
        stepping = step % 2 == 1
        norm, _ = trainer.train_step(
            step + 1, step, stepping, metrics if stepping else Quiet(), board, *images(10 + step), -1, 10
        )
        if stepping:
            rates.append(float(norm))
    state = trainer.state_dict()
    torch.save(state, "trainer.pth")
    evaluated = trainer.eval_ep([images(30), images(31)])[:5]
    trainer.load_state_dict(torch.load("trainer.pth"))
    return {
        "metrics": metrics.kept,
        "board": board.kept,
        "rates": np.hstack([np.ravel(one) for one in rates]),
        "evaluated": evaluated,
        "attention": var.blocks[0].attn.mat_qkv.weight,
        "scale": var.blocks[1].attn.scale_mul_1H11,
        "bias": var.blocks[0].attn.q_bias,
        "class": var.class_emb.weight,
        "start": var.pos_start,
        "head": var.head.weight,
    }


class Quiet:
    log_iters = set()


def init():
    _, var, _ = build()
    return {"qkv": var.blocks[0].attn.mat_qkv.weight, "class": var.class_emb.weight, "head": var.head.weight}
