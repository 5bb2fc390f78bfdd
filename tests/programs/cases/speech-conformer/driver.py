import numpy as np
import torch
import torch.nn as nn

from conformer import Conformer

CLASSES, DIMENSION, BATCH, FRAMES = 7, 20, 3, 61


def build():
    return Conformer(
        num_classes=CLASSES,
        input_dim=DIMENSION,
        encoder_dim=12,
        num_encoder_layers=2,
        num_attention_heads=3,
        conv_kernel_size=5,
        input_dropout_p=0.1,
        feed_forward_dropout_p=0.0,
        attention_dropout_p=0.0,
        conv_dropout_p=0.0,
    )


def inputs(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(BATCH, FRAMES, DIMENSION).astype("float32"))


def forward(model):
    model.eval()
    outputs, lengths = model(inputs(0), torch.LongTensor([FRAMES, 50, 41]))
    return {"outputs": outputs, "lengths": lengths, "count": model.count_parameters()}


def train(model):
    """The step of the README, whose dropout is taken out as update_dropout is for."""
    for child in model.encoder.input_projection.modules():
        if isinstance(child, nn.Dropout):
            child.p = 0.0
    model.update_dropout(0.0)
    model.train()
    criterion = nn.CTCLoss(zero_infinity=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for step in range(3):
        targets = torch.LongTensor(np.random.RandomState(20 + step).randint(1, CLASSES, (BATCH, 5)))
        lengths = torch.LongTensor([5, 4, 3])
        outputs, output_lengths = model(inputs(10 + step), torch.LongTensor([FRAMES, 50, 41]))
        loss = criterion(outputs.transpose(0, 1), targets, output_lengths, lengths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    block = model.encoder.layers[0].sequential
    return {"losses": losses, "fc": model.fc.linear.weight, "u_bias": block[1].module.attention.u_bias}


def init():
    model = build()
    block = model.encoder.layers[0].sequential
    return {"query": block[1].module.attention.query_proj.linear.weight, "v": block[1].module.attention.v_bias}
