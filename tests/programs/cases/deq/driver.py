import os
import sys

import numpy as np
import torch
from torch import nn, optim

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "DEQ-Sequence"))

from lib.jacobian import jac_loss_estimate, power_method  # noqa: E402
from lib.layer_utils import conv3x3, list2vec, norm_diff, vec2list  # noqa: E402
from lib.optimizations import VariationalAttnDropout, VariationalHidDropout2d, matrix_diag, weight_norm  # noqa: E402
from lib.radam import PlainRAdam, RAdam  # noqa: E402
from lib.solvers import anderson, broyden  # noqa: E402
from models.deq_transformer import DEQTransformerLM  # noqa: E402

WORDS, BATCH, LENGTH = 20, 3, 5


def model(**others):
    settings = dict(
        n_token=WORDS, n_layer=2, eval_n_layer=3, n_head=2, d_model=8, d_head=4, d_inner=12, dropout=0.0, dropatt=0.0,
        tgt_len=LENGTH, mem_len=4, pretrain_steps=3, f_solver=anderson, b_solver=broyden, logging=lambda text: None,
    )  # fmt: skip
    settings.update(others)
    return DEQTransformerLM(**settings)


def build():
    return (
        model(),
        model(cutoffs=[8, 14], div_val=2, tie_projs=[False, True, True], pre_lnorm=True, local_size=3),
        model(wnorm=True, d_embed=6, tie_projs=[True]),
        model(stop_mode="abs"),
    )


def words(seed, length=LENGTH):
    rng = np.random.RandomState(seed)
    return torch.from_numpy(rng.randint(0, WORDS, (length, BATCH))), torch.from_numpy(rng.randint(0, WORDS, (length, BATCH)))


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def stacked(net):
    first = net(*words(1), [], train_step=0)
    second = net(*words(2), first[3:], train_step=1)
    return [first[0], second[0], second[3], second[4]]


def equilibrium(net):
    first = net(*words(1), [], train_step=-1, f_thres=20)
    second = net(*words(2), first[3:], train_step=-1, f_thres=20, spectral_radius_mode=False)
    return [first[0], second[0], second[3]]


def solved():
    matrix = 0.2 * numbers(3, 6, 6)
    offset = numbers(4, 2, 6, 3)

    def f(z):
        return torch.tanh(torch.einsum("ij, bjk -> bik", matrix, z)) + offset

    found = []
    for solver, others in ((anderson, {}), (broyden, {}), (broyden, {"ls": True, "stop_mode": "abs"})):
        said = solver(f, torch.zeros(2, 6, 3), threshold=25, eps=1e-5, **others)
        found += [said["result"], np.array(said["lowest"] < 1e-5), np.array(len(said["abs_trace"]) > 10)]
    return found


def estimated():
    matrix = 0.5 * numbers(5, 4, 4)
    z = numbers(6, 2, 4, 1).requires_grad_()
    np.random.seed(0)
    loss = jac_loss_estimate(torch.tanh(torch.matmul(matrix, z)), z)
    vector, value = power_method(torch.matmul(matrix @ matrix.t(), z), z, n_iters=40)
    return [loss, vector.abs(), value]


def helped():
    layer, fn = weight_norm(nn.Conv1d(3, 4, 2), ["weight"], dim=0)
    with torch.no_grad():
        layer.weight_v.copy_(numbers(7, 4, 3, 2))
        layer.weight_g.copy_(numbers(8, 4, 1, 1))
        fn.reset(layer)
        first = layer.weight.clone()
        fn.remove(layer)
    pieces = [numbers(9, 2, 3, 2, 2), numbers(10, 2, 1, 4, 1)]
    vector = list2vec(pieces)
    again = vec2list(vector, [(3, 2, 2), (1, 4, 1)])
    spatial, attention = VariationalHidDropout2d(0.0), VariationalAttnDropout(0.0)
    spatial.reset_mask(2, 3, 2, 2)
    attention.reset_mask(2, 1, 4, 1)
    return [
        first, layer.weight, vector, *again, np.array(norm_diff(pieces, again, show_list=True)),
        matrix_diag(numbers(11, 2, 3)), matrix_diag(numbers(12, 2, 3, 4), dim=3), spatial(pieces[0]),
        attention(pieces[1]), np.array(conv3x3(2, 3).weight.shape),
    ]  # fmt: skip


def forward(plain, adaptive, normed, absolute):
    nets = (plain, adaptive, normed, absolute)
    for net in nets:
        net.eval()
    with torch.no_grad():
        return {
            "plain": lambda: stacked(plain),
            "adaptive": lambda: stacked(adaptive),
            "normed": lambda: stacked(normed),
            "equilibrium": lambda: equilibrium(absolute),
            "solved": solved,
            "estimated": estimated,
            "helped": helped,
        }


def trained(net, optimizer, steps, first=0, jacobian=False):
    """The loop of train_transformer.py."""
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, 10, eta_min=1e-4)
    mems, losses = [], []
    np.random.seed(1)
    net.train()
    net.reset_length(LENGTH, 4)
    for step in range(first, first + steps):
        data, target = words(20 + step)
        net.zero_grad()
        ret = net(data, target, mems, train_step=step, f_thres=20, b_thres=20, compute_jac_loss=jacobian, writer=None)
        loss, jac_loss, _, mems = ret[0], ret[1], ret[2], ret[3:]
        loss = loss.float().mean().type_as(loss)
        jac_loss = jac_loss.float().mean().type_as(loss)
        if jacobian:
            (loss + jac_loss * 0.5).backward()
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.25)
        optimizer.step()
        scheduler.step()
        losses.append([loss.item(), jac_loss.item()])
    return np.array(losses)


def named(net, *names):
    weights = dict(net.named_parameters())
    return [weights[name] for name in names]


def train(plain, adaptive, normed, absolute):
    def first():
        losses = trained(plain, optim.Adam(plain.parameters(), lr=1e-3), 3)
        return [losses, *named(plain, "word_emb.emb_layers.0.weight", "func.dec_attn.qkv_net.weight")]

    def second():
        losses = trained(adaptive, RAdam(adaptive.parameters(), lr=1e-2), 3)
        return [losses, *named(adaptive, "crit.cluster_weight", "func.pos_ff.ff1_net.bias")]

    def third():
        losses = trained(normed, PlainRAdam(normed.parameters(), lr=1e-2, weight_decay=0.1), 3)
        return [losses, *named(normed, "func.dec_attn.o_net.weight_g", "func.pos_ff.ff2_net.weight_v")]

    def fourth():
        losses = trained(absolute, optim.Adam(absolute.parameters(), lr=1e-3), 2, first=3)
        return [losses, *named(absolute, "func.dec_attn.r_w_bias", "inject_conv.weight")]

    def fifth():
        net = model()
        net.load_state_dict(plain.state_dict())
        losses = trained(net, optim.SGD(net.parameters(), lr=0.1), 2, first=3, jacobian=True)
        return [losses, *named(net, "func.dec_attn.r_w_bias")]

    return {"plain": first, "adaptive": second, "normed": third, "equilibrium": fourth, "jacobian": fifth}
