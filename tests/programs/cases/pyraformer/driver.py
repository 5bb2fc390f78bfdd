from types import SimpleNamespace

import numpy as np
import torch

import long_range_main
import pyraformer.Pyraformer_LR as Pyraformer

BATCH, LONG, AHEAD, SERIES = 4, 16, 4, 3


def options(**changed):
    made = dict(
        model="Pyraformer", data="ETTh1", input_size=LONG, predict_step=AHEAD, inner_size=3, window_size=[2, 2, 2],
        CSCM="Bottleneck_Construct", d_bottleneck=6, d_model=8, d_inner_hid=12, d_k=4, d_v=4, n_head=2, n_layer=2,
        dropout=0.0, enc_in=SERIES, dec_in=SERIES, c_out=SERIES, covariate_size=4, seq_num=1, decoder="FC",
        truncate=False, use_tvm=False, embed_type="DataEmbedding", device=torch.device("cpu"), pretrain=False,
        hard_sample_mining=False, inverse=False,
    )  # fmt: skip
    made.update(changed)
    return SimpleNamespace(**made)


KINDS = {
    "fc": dict(),
    "conv": dict(CSCM="Conv_Construct", hard_sample_mining=True),
    "attention": dict(decoder="attention", CSCM="AvgPooling_Construct", pretrain=True),
    "truncated": dict(decoder="attention", truncate=True, CSCM="MaxPooling_Construct"),
}


def build():
    return tuple(Pyraformer.Model(options(**changed)) for changed in KINDS.values())


def batches(count=2, seed=0):
    rng = np.random.RandomState(seed)

    def one():
        marks = [torch.from_numpy(rng.uniform(-0.5, 0.5, (BATCH, size, 4))) for size in (LONG, AHEAD)]
        values = [torch.from_numpy(rng.randn(BATCH, size, SERIES)) for size in (LONG, AHEAD)]
        return (*values, *marks, torch.zeros(BATCH), torch.ones(BATCH))

    return [one() for _ in range(count)]


def forward(*nets):
    outputs = {}
    x, y, x_mark, y_mark, _, _ = (part.float() for part in batches(1)[0])
    for (name, changed), net in zip(KINDS.items(), nets):
        net.eval()
        made = torch.zeros_like(y)
        if "decoder" in changed:
            outputs[name] = lambda net=net: net(x, x_mark, made, y_mark, False)
            if not changed.get("truncate"):
                outputs[name + "_pretrain"] = lambda net=net: net(x, x_mark, made, y_mark, True)
        else:
            longer = torch.cat([x, torch.zeros(BATCH, 1, SERIES)], dim=1)
            marks = torch.cat([x_mark, y_mark[:, 0:1, :]], dim=1)
            outputs[name] = lambda net=net, a=longer, b=marks: net(a, b, made, y_mark, False)
        outputs[name + "_mask"] = lambda net=net: net.encoder.mask.float()
    return outputs


def train(*nets):
    result = {}
    for (name, changed), net in zip(KINDS.items(), nets):
        opt = options(**changed)
        optimizer = torch.optim.Adam(filter(lambda x: x.requires_grad, net.parameters()), 1e-3)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.1)
        losses = []
        for epoch in range(2):
            losses.append(long_range_main.train_epoch(net, None, batches(2, epoch), optimizer, opt, epoch))
            scheduler.step()
        result[name] = np.array(losses, dtype=float)
        result[name + "_weight"] = net.predictor.linear.weight
        result[name + "_encoder"] = net.encoder.layers[0].slf_attn.w_qs.weight
    return result
