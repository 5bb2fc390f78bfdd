import os

os.environ["TORCHDYNAMO_DISABLE"] = "1"

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.optim as optim  # noqa: E402

from advanced.mmdit import MMDiT  # noqa: E402
from dit import DiT_Llama  # noqa: E402
from rf import RF  # noqa: E402


def images(seed, channels, number=4, size=16):
    rng = np.random.RandomState(seed)
    return torch.from_numpy(rng.randn(number, channels, size, size).astype("float32"))


def texts(seed, number=4):
    return {"c_seq": torch.from_numpy(np.random.RandomState(seed).randn(number, 6, 24).astype("float32"))}


def build():
    dit = DiT_Llama(1, 16, dim=64, n_layers=2, n_heads=4, num_classes=10, multiple_of=32, class_dropout_prob=1e-9)
    mmdit = MMDiT(dim=32, n_layers=3, n_double_layers=2, n_heads=4, global_conddim=48, cond_seq_dim=24, max_seq=64)
    return dit, mmdit


def forward(dit, mmdit):
    dit.eval()
    mmdit.eval()
    x, y, t = images(1, 1), torch.tensor([1, 2, 3, 10]), torch.tensor([0.1, 0.4, 0.7, 0.9])

    def extended():
        kept = mmdit.positional_encoding.data.clone()
        mmdit.extend_pe((8, 8), (12, 12))
        larger, mmdit.positional_encoding.data = mmdit.positional_encoding.data, kept
        mmdit.h_max, mmdit.w_max = 8, 8
        return larger

    return {
        "dit": lambda: dit(x, t, y),
        "guided": lambda: dit.forward_with_cfg(x, t, y, 1.5),
        "mmdit": lambda: mmdit(images(2, 4), t, texts(3)),
        "chosen": lambda: mmdit.pe_selection_index_based_on_dim(8, 12),
        "extended": extended,
    }


def trained(model, optimizer, batches, classes, ln=True):
    rf = RF(model, ln)
    losses, lossbin, losscnt = [], {i: 0 for i in range(10)}, {i: 1e-6 for i in range(10)}
    model.train()
    for x, c in batches:
        optimizer.zero_grad()
        loss, blsct = rf.forward(x, c)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        for t, l in blsct:
            lossbin[int(t * 10)] += l
            losscnt[int(t * 10)] += 1
    rf.model.eval()
    with torch.no_grad():
        sampled = rf.sample(images(9, batches[0][0].size(1)), *classes, sample_steps=3)
    return [losses, [lossbin[i] / losscnt[i] for i in range(10)], sampled[-1].clamp(-1, 1)]


def train(dit, mmdit):
    digits = [(images(10 + i, 1), torch.arange(i, i + 4)) for i in range(4)]
    cond = torch.arange(0, 4) % 10
    captioned = [(images(20 + i, 4), texts(30 + i)) for i in range(4)]
    decayed = [
        {"params": [p for n, p in mmdit.named_parameters() if "mod" not in n], "lr": 1e-3},
        {"params": [p for n, p in mmdit.named_parameters() if "mod" in n], "lr": 1e-4, "weight_decay": 0.0},
    ]
    return {
        "dit": lambda: [
            *trained(dit, optim.Adam(dit.parameters(), lr=5e-4), digits, (cond, torch.ones_like(cond) * 10)),
            dit.layers[0].attention.wq.weight,
        ],
        "mmdit": lambda: [
            *trained(mmdit, optim.AdamW(decayed, betas=(0.9, 0.95), weight_decay=0.1), captioned, (texts(5),), False),
            mmdit.double_layers[0].attn.w1q.weight,
            mmdit.positional_encoding,
        ],
    }
