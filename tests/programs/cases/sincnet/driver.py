import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable

from data_io import str_to_bool
from dnn_models import MLP, SincNet as CNN, flip, sinc_conv

FS, WLEN, SPEAKERS = 16000, 400, 6


def build():
    """The three networks of speaker_id.py, small, and the first kind of filters."""
    CNN_arch = {
        "input_dim": WLEN,
        "fs": FS,
        "cnn_N_filt": [8, 6, 6],
        "cnn_len_filt": [51, 5, 5],
        "cnn_max_pool_len": [3, 3, 3],
        "cnn_use_laynorm_inp": str_to_bool("True"),
        "cnn_use_batchnorm_inp": False,
        "cnn_use_laynorm": [True, True, False],
        "cnn_use_batchnorm": [False, False, True],
        "cnn_act": ["leaky_relu", "relu", "elu"],
        "cnn_drop": [0.0, 0.0, 0.0],
    }
    CNN_net = CNN(CNN_arch)
    DNN1_arch = {
        "input_dim": CNN_net.out_dim,
        "fc_lay": [16, 12],
        "fc_drop": [0.0, 0.0],
        "fc_use_batchnorm": [True, False],
        "fc_use_laynorm": [False, True],
        "fc_use_laynorm_inp": True,
        "fc_use_batchnorm_inp": False,
        "fc_act": ["leaky_relu", "linear"],
    }
    DNN2_arch = {
        "input_dim": 12,
        "fc_lay": [SPEAKERS],
        "fc_drop": [0.0],
        "fc_use_batchnorm": [False],
        "fc_use_laynorm": [False],
        "fc_use_laynorm_inp": False,
        "fc_use_batchnorm_inp": True,
        "fc_act": ["softmax"],
    }
    return CNN_net, MLP(DNN1_arch), MLP(DNN2_arch), sinc_conv(4, 31, FS)


def chunks(seed, count=4):
    random = np.random.RandomState(seed)
    inp = Variable(torch.from_numpy(random.randn(count, WLEN) * 0.1).float().contiguous())
    lab = Variable(torch.from_numpy(random.randint(0, SPEAKERS, count).astype("float64")).float().contiguous())
    return inp, lab


def forward(CNN_net, DNN1_net, DNN2_net, filters):
    for net in (CNN_net, DNN1_net, DNN2_net):
        net.eval()
    inp, lab = chunks(0)
    features = CNN_net(inp)
    return {
        "features": features,
        "pout": DNN2_net(DNN1_net(features)),
        "filters": lambda: filters(inp[:, None, :200]),
        "flipped": lambda: flip(torch.arange(12.0).view(3, 4), 0),
    }


def train(CNN_net, DNN1_net, DNN2_net, filters):
    """The loop of speaker_id.py."""
    cost = nn.NLLLoss()
    optimizer_CNN = optim.RMSprop(CNN_net.parameters(), lr=0.001, alpha=0.95, eps=1e-8)
    optimizer_DNN1 = optim.RMSprop(DNN1_net.parameters(), lr=0.001, alpha=0.95, eps=1e-8)
    optimizer_DNN2 = optim.RMSprop(DNN2_net.parameters(), lr=0.001, alpha=0.95, eps=1e-8)
    losses = []
    loss_sum = 0
    err_sum = 0
    CNN_net.train()
    DNN1_net.train()
    DNN2_net.train()
    for i in range(3):
        [inp, lab] = chunks(1 + i)
        pout = DNN2_net(DNN1_net(CNN_net(inp)))
        pred = torch.max(pout, dim=1)[1]
        loss = cost(pout, lab.long())
        err = torch.mean((pred != lab.long()).float())
        optimizer_CNN.zero_grad()
        optimizer_DNN1.zero_grad()
        optimizer_DNN2.zero_grad()
        loss.backward()
        optimizer_CNN.step()
        optimizer_DNN1.step()
        optimizer_DNN2.step()
        loss_sum = loss_sum + loss.detach()
        err_sum = err_sum + err.detach()
        losses.append(loss.item())

    optimizer = optim.SGD(filters.parameters(), lr=1e-4)
    for i in range(2):
        loss = (filters(chunks(20 + i)[0][:, None, :200]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "sums": [float(loss_sum / 3), float(err_sum / 3)],
        "low": CNN_net.conv[0].low_hz_,
        "conv": CNN_net.conv[1].weight,
        "norm": CNN_net.ln[0].gamma,
        "hidden": DNN1_net.wx[0].weight,
        "last": DNN2_net.wx[0].weight,
        "running": DNN1_net.bn[0].running_var,
        "band": filters.filt_band,
    }


def init():
    nets = build()
    return {"conv": nets[0].conv[1].weight, "hidden": nets[1].wx[0].weight}
