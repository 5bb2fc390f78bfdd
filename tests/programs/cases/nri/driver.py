import os

import numpy as np
import torch
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable
from torch.optim import lr_scheduler

from modules import CNNEncoder, MLPDecoder, MLPEncoder, RNNDecoder, SimulationDecoder
from utils import (
    edge_accuracy,
    encode_onehot,
    get_tril_offdiag_indices,
    get_triu_offdiag_indices,
    gumbel_softmax,
    kl_categorical,
    kl_categorical_uniform,
    load_data,
    my_softmax,
    nll_gaussian,
)

ATOMS, STEPS, DIMS, HIDDEN, TYPES, PREDICTION = 4, 9, 4, 12, 2, 3


def written():
    """The files that the simulation of springs writes."""
    os.makedirs("data", exist_ok=True)
    for seed, split in enumerate(("train", "valid", "test")):
        rng = np.random.RandomState(seed)
        np.save(f"data/loc_{split}_springs4.npy", np.cumsum(rng.randn(8, STEPS, 2, ATOMS), axis=1))
        np.save(f"data/vel_{split}_springs4.npy", rng.randn(8, STEPS, 2, ATOMS))
        edges = rng.randint(0, 2, (8, ATOMS, ATOMS))
        np.save(f"data/edges_{split}_springs4.npy", np.triu(edges, 1) + np.triu(edges, 1).transpose(0, 2, 1))


def graph():
    off_diag = np.ones([ATOMS, ATOMS]) - np.eye(ATOMS)
    rel_rec = np.array(encode_onehot(np.where(off_diag)[0]), dtype=np.float32)
    rel_send = np.array(encode_onehot(np.where(off_diag)[1]), dtype=np.float32)
    return Variable(torch.FloatTensor(rel_rec)), Variable(torch.FloatTensor(rel_send))


def build():
    return (
        MLPEncoder(STEPS * DIMS, HIDDEN, TYPES, 0.0, True),
        MLPDecoder(DIMS, TYPES, HIDDEN, HIDDEN, HIDDEN, 0.0, False),
        CNNEncoder(DIMS, HIDDEN, TYPES, 0.0, True),
        RNNDecoder(DIMS, TYPES, HIDDEN, 0.0, True),
    )


def init():
    torch.manual_seed(1)
    net = MLPEncoder(60, 60, TYPES)
    cnn = CNNEncoder(8, 32, TYPES)
    return {"fc": net.mlp2.fc1.weight, "out": net.fc_out.weight, "conv": cnn.cnn.conv2.weight}


def trajectories(seed, steps=STEPS):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (2, ATOMS, steps, DIMS)).astype("float32"))


def forward(encoder, decoder, cnn, rnn):
    rel_rec, rel_send = graph()
    for net in (encoder, decoder, cnn, rnn):
        net.eval()
    data, longer = trajectories(0), trajectories(1, 15)
    logits = encoder(data, rel_rec, rel_send)
    edges = gumbel_softmax(logits, tau=0.5, hard=True)
    simulated = SimulationDecoder(5.0, -5.0, 2.0, -2.0, "_springs4")
    return {
        "logits": logits,
        "edges": edges,
        "prediction": lambda: decoder(data, edges, rel_rec, rel_send, PREDICTION),
        "cnn": lambda: cnn(longer, rel_rec, rel_send),
        "rnn": lambda: rnn(data, edges, rel_rec, rel_send, 100, burn_in=True, burn_in_steps=STEPS - PREDICTION),
        "simulated": lambda: simulated(data, edges, rel_rec, rel_send, 1),
        "pairs": lambda: [get_triu_offdiag_indices(ATOMS), get_tril_offdiag_indices(ATOMS)],
        "kl": lambda: kl_categorical(my_softmax(logits, -1), torch.log(torch.tensor([[[0.9, 0.1]]])), ATOMS),
    }


def trained(encoder, decoder, recurrent):
    """The steps of train(); the script itself trains when it is imported."""
    written()
    rel_rec, rel_send = graph()
    train_loader, valid_loader, test_loader, loc_max, loc_min, vel_max, vel_min = load_data(4, "_springs4")
    optimizer = optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=0.0005)
    scheduler = lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    values = []
    for epoch in range(2):
        encoder.train()
        decoder.train()
        for batch_idx, (data, relations) in enumerate(train_loader):
            data, relations = Variable(data), Variable(relations)
            optimizer.zero_grad()
            logits = encoder(data, rel_rec, rel_send)
            edges = gumbel_softmax(logits, tau=0.5, hard=False)
            prob = my_softmax(logits, -1)
            if recurrent:
                output = decoder(
                    data, edges, rel_rec, rel_send, 100, burn_in=True, burn_in_steps=STEPS - PREDICTION
                )
            else:
                output = decoder(data, edges, rel_rec, rel_send, PREDICTION)
            target = data[:, :, 1:, :]
            loss_nll = nll_gaussian(output, target, 5e-1)
            loss_kl = kl_categorical_uniform(prob, ATOMS, TYPES)
            loss = loss_nll + loss_kl
            acc = edge_accuracy(logits, relations)
            loss.backward()
            optimizer.step()
            values += [acc, F.mse_loss(output, target).item(), loss_nll.item(), loss_kl.item()]
        scheduler.step()
    return values


def train(encoder, decoder, cnn, rnn):
    return {
        "values": trained(encoder, decoder, False),
        "encoder": encoder.mlp1.fc1.weight,
        "decoder": decoder.msg_fc1[1].weight,
        "mean": encoder.mlp3.bn.running_mean,
        "recurrent": lambda: trained(encoder, rnn, True),
        "rnn": lambda: rnn.hidden_r.weight,
    }
