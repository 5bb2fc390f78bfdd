import numpy as np
import torch
import torch.nn as nn
from torch.optim import LBFGS, Adam

from model.fls import FLS
from model.pinn import PINNs
from model.pinnsformer import PINNsformer
from model.qres import QRes
from util import get_data, get_n_params, make_time_sequence

device = "cpu"


def init_weights(m):
    if isinstance(m, nn.Linear):
        torch.nn.init.xavier_uniform(m.weight)
        m.bias.data.fill_(0.01)


def build():
    torch.manual_seed(0)
    sequences = PINNsformer(d_out=1, d_hidden=16, d_model=8, N=1, heads=2).to(device)
    plain = PINNs(in_dim=2, hidden_dim=16, out_dim=1, num_layer=3).to(device)
    quadratic = QRes(in_dim=2, hidden_dim=16, out_dim=1, num_layer=3).to(device)
    sines = FLS(in_dim=2, hidden_dim=16, out_dim=1, num_layer=3).to(device)
    nets = sequences, plain, quadratic, sines
    for net in nets:
        net.apply(init_weights)
    return nets


def init():
    torch.manual_seed(1)
    net = PINNsformer(d_out=1, d_hidden=64, d_model=32, N=2, heads=2)
    net.apply(init_weights)
    return {"linear": net.linear_out[0].weight, "attention": net.encoder.layers[1].attn.in_proj_weight}


def collocation(as_sequences):
    points = get_data([0, 1], [0, 1], 5, 5)
    tensors = []
    for part in points:
        if as_sequences:
            part = make_time_sequence(part, num_step=5, step=1e-4)
        part = torch.tensor(part, dtype=torch.float32, requires_grad=True).to(device)
        tensors += [part[..., 0:1], part[..., 1:2]]
    return tensors


def forward(*nets):
    outputs = {}
    for net in nets:
        x, t = collocation(isinstance(net, PINNsformer))[:2]
        name = type(net).__name__
        outputs[name] = net(x, t)
        outputs[name + "_size"] = torch.tensor(get_n_params(net))
    return outputs


def wave(model, as_sequences, loss_track, optim):
    """The closure of the notebook for the wave equation."""
    x_res, t_res, x_left, t_left, x_right, t_right, x_upper, t_upper, x_lower, t_lower = collocation(as_sequences)
    pi = torch.tensor(np.pi, dtype=torch.float32, requires_grad=False).to(device)

    def closure():
        pred_res = model(x_res, t_res)
        pred_left = model(x_left, t_left)
        pred_upper = model(x_upper, t_upper)
        pred_lower = model(x_lower, t_lower)

        u_x = torch.autograd.grad(
            pred_res, x_res, grad_outputs=torch.ones_like(pred_res), retain_graph=True, create_graph=True
        )[0]
        u_xx = torch.autograd.grad(
            u_x, x_res, grad_outputs=torch.ones_like(pred_res), retain_graph=True, create_graph=True
        )[0]
        u_t = torch.autograd.grad(
            pred_res, t_res, grad_outputs=torch.ones_like(pred_res), retain_graph=True, create_graph=True
        )[0]
        u_tt = torch.autograd.grad(
            u_t, t_res, grad_outputs=torch.ones_like(pred_res), retain_graph=True, create_graph=True
        )[0]

        loss_res = torch.mean((u_tt - 4 * u_xx) ** 2)
        loss_bc = torch.mean((pred_upper) ** 2) + torch.mean((pred_lower) ** 2)

        ui_t = torch.autograd.grad(
            pred_left, t_left, grad_outputs=torch.ones_like(pred_left), retain_graph=True, create_graph=True
        )[0]

        loss_ic_1 = torch.mean(
            (pred_left[:, 0] - torch.sin(pi * x_left[:, 0]) - 0.5 * torch.sin(3 * pi * x_left[:, 0])) ** 2
        )
        loss_ic_2 = torch.mean((ui_t) ** 2)

        loss_ic = loss_ic_1 + loss_ic_2

        loss_track.append([loss_res.item(), loss_ic.item(), loss_bc.item()])

        loss = loss_res + loss_ic + loss_bc
        optim.zero_grad()
        loss.backward()
        return loss

    return closure


def train(*nets):
    result = {}
    for net in nets:
        name = type(net).__name__
        loss_track = []
        if isinstance(net, QRes):
            optim = Adam(net.parameters(), lr=1e-4)
        else:
            optim = LBFGS(net.parameters(), max_iter=2, line_search_fn="strong_wolfe")
        for i in range(2):
            optim.step(wave(net, isinstance(net, PINNsformer), loss_track, optim))
        result[name + "_losses"] = torch.tensor(loss_track)
        result[name + "_weight"] = next(net.parameters())
    return result
