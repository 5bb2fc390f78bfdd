import numpy as np
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR

from the_annotated_transformer import (
    Batch,
    DummyOptimizer,
    DummyScheduler,
    LabelSmoothing,
    SimpleLossCompute,
    TrainState,
    greedy_decode,
    make_model,
    rate,
    run_epoch,
    subsequent_mask,
)

V = 11


def build():
    model = make_model(V, V, N=2, d_model=32, d_ff=64, h=4, dropout=0.0)
    for m in model.modules():  # attention has a dropout of 0.1 that make_model does not pass on
        if isinstance(m, nn.Dropout):
            m.p = 0.0
    return model


def init():
    torch.manual_seed(1)
    model = make_model(100, 100, N=1, d_model=64, d_ff=128, h=4)
    return {"generator": model.generator.proj.weight, "embedding": model.src_embed[0].lut.weight}


def batches(seed, count, padded=False):
    """The copy task of data_gen."""
    rng = np.random.RandomState(seed)
    for _ in range(count):
        data = rng.randint(1, V, (6, 10))
        data[:, 0] = 1
        if padded:
            data[:3, 8:] = 0
        data = torch.from_numpy(data)
        src = data.requires_grad_(False).clone().detach()
        tgt = data.requires_grad_(False).clone().detach()
        yield Batch(src, tgt, 0)


def forward(model):
    model.eval()
    batch = next(batches(0, 1, padded=True))
    src = torch.LongTensor([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
    return {
        "mask": subsequent_mask(5),
        "target_mask": batch.tgt_mask,
        "output": model(batch.src, batch.tgt, batch.src_mask, batch.tgt_mask),
        "generated": lambda: model.generator(model.encode(batch.src, batch.src_mask)),
        "decoded": lambda: greedy_decode(model, src, torch.ones(1, 1, 10), max_len=6, start_symbol=0),
    }


def train(model):
    criterion = LabelSmoothing(size=V, padding_idx=0, smoothing=0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.5, betas=(0.9, 0.98), eps=1e-9)
    lr_scheduler = LambdaLR(
        optimizer=optimizer,
        lr_lambda=lambda step: rate(step, model_size=model.src_embed[0].d_model, factor=1.0, warmup=400),
    )
    losses = []
    state = TrainState()
    for epoch in range(2):
        model.train()
        loss, state = run_epoch(
            batches(epoch, 2, padded=epoch == 1),
            model,
            SimpleLossCompute(model.generator, criterion),
            optimizer,
            lr_scheduler,
            mode="train",
            train_state=state,
        )
        losses.append(loss.item())
        model.eval()
        losses.append(
            run_epoch(
                batches(7, 1),
                model,
                SimpleLossCompute(model.generator, criterion),
                DummyOptimizer(),
                DummyScheduler(),
                mode="eval",
            )[0].item()
        )
    return {
        "losses": losses,
        "steps": [state.step, state.samples, int(state.tokens)],
        "lr": [optimizer.param_groups[0]["lr"]],
        "generator": model.generator.proj.weight,
        "embedding": model.src_embed[0].lut.weight,
        "norm": model.encoder.norm.a_2,
    }
