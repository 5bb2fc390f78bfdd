import os
import sys
import tempfile

import numpy as np
import torch
import torch.optim as optim

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pytorch")
sys.path[:0] = [program, os.path.join(program, "utils")]

WORDS = ["<unk>", "the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs"]


def write_files(folder):
    rng = np.random.RandomState(0)
    for split, lines in (("train", 60), ("valid", 40), ("test", 40)):
        with open(os.path.join(folder, split + ".txt"), "w", encoding="utf-8") as file:
            for _ in range(lines):
                words = WORDS if split == "train" else WORDS[1:]
                file.write(" ".join(words[i] for i in rng.randint(0, len(words), 7)) + "\n")


# train.py reads its arguments and data when it is imported, trains, and tests the best model.
folder, here, arguments = tempfile.mkdtemp(), os.getcwd(), sys.argv
write_files(folder)
os.chdir(program)
try:
    sys.argv = (
        "train.py --dataset wt103 --n_layer 2 --n_head 2 --d_head 6 --d_model 12 --d_inner 20 --batch_size 4 "
        "--tgt_len 8 --mem_len 6 --eval_tgt_len 6 --lr 0.01 --max_step 2 --eval-interval 2 --log-interval 1 "
        "--max_eval_steps 3 --warmup_step 1"
    ).split() + ["--data", folder, "--work_dir", os.path.join(folder, "work")]
    import train as training
finally:
    sys.argv = arguments
    os.chdir(here)

from data_utils import LMShuffledIterator
from log_uniform_sampler import LogUniformSampler
from mem_transformer import AdaptiveEmbedding, MemTransformerLM
from proj_adaptive_softmax import ProjectedAdaptiveLogSoftmax


def transformer(**changes):
    settings = dict(
        n_layer=2, n_head=2, d_model=12, d_head=6, d_inner=20, dropout=0.0, dropatt=0.0, tie_weight=True,
        d_embed=12, div_val=1, tie_projs=[False], pre_lnorm=False, tgt_len=8, ext_len=0, mem_len=6, cutoffs=[],
        same_length=False, attn_type=0, clamp_len=-1, sample_softmax=-1,
    )  # fmt: skip
    net = MemTransformerLM(training.ntokens, **{**settings, **changes})
    net.apply(training.weights_init)
    net.word_emb.apply(training.weights_init)
    return net


def build():
    return (
        transformer(),
        transformer(div_val=2, cutoffs=[5], tie_projs=[False, True], pre_lnorm=True, same_length=True, clamp_len=5),
        transformer(attn_type=1, d_embed=8, cutoffs=[4], tie_projs=[False, True]),
        transformer(attn_type=2, mem_len=0),
        transformer(attn_type=3, tie_weight=False),
    )


def init():
    torch.manual_seed(3)
    net = transformer(d_model=32, d_head=16, n_layer=1)
    return {"qkv": net.layers[0].dec_attn.qkv_net.weight, "norm": net.layers[0].dec_attn.layer_norm.weight, "bias": net.r_w_bias}


def batch(seed, length=8):
    rng = np.random.RandomState(seed)
    numbers = rng.randint(0, training.ntokens, (length + 1, 3))
    return torch.from_numpy(numbers[:-1].copy()), torch.from_numpy(numbers[1:].copy())


def forward(plain, adaptive, learnable, absolute, deeper):
    outputs = {}
    nets = {"plain": plain, "adaptive": adaptive, "learnable": learnable, "absolute": absolute, "deeper": deeper}
    for name, net in nets.items():
        net.eval()
        with torch.no_grad():
            ret = net(*batch(0))
            loss, mems = ret[0], ret[1:]
            outputs[name] = loss
            outputs[name + "_again"] = net(*batch(1), *mems)
    outputs["positions"] = lambda: plain.pos_emb(torch.arange(5.0), bsz=2)
    outputs["log_q"] = lambda: LogUniformSampler(30, 4).log_q
    outputs["batches"] = lambda: [data for data, _, _ in training.va_iter]
    outputs["sentences"] = shuffled
    return outputs


def shuffled():
    sentences = [torch.arange(start, start + 5 + start % 3) for start in range(12)]
    found = []
    for data, target, _ in LMShuffledIterator(sentences, 2, 4, ext_len=1):
        found.extend((data.clone(), target.clone()))
    return found


def train(*nets):
    results = {}
    training.epoch = 1
    training.args.max_step = 5
    for name, net, scheduler in (("plain", nets[0], "cosine"), ("adaptive", nets[1], "inv_sqrt"), ("learnable", nets[2], "dev_perf")):
        training.model = training.para_model = net
        training.args.scheduler = scheduler
        training.args.batch_chunk = 2 if name == "adaptive" else 1
        training.args.mem_len = net.mem_len
        training.optimizer = optim.Adam(net.parameters(), lr=training.args.lr)
        if scheduler == "cosine":
            training.scheduler = optim.lr_scheduler.CosineAnnealingLR(training.optimizer, 5, eta_min=0.0)
        elif scheduler == "inv_sqrt":
            training.scheduler = optim.lr_scheduler.LambdaLR(
                training.optimizer, lr_lambda=lambda step: 1.0 / (step**0.5) if step > 1 else 1.0
            )
        else:
            training.scheduler = optim.lr_scheduler.ReduceLROnPlateau(training.optimizer, factor=0.5, patience=0)
        training.train_step, training.train_loss, training.best_val_loss = 0, 0, None
        training.train()
        results[name] = training.evaluate(training.te_iter)
        results[name + "_lr"] = training.optimizer.param_groups[0]["lr"]
        results[name + "_qkv"] = net.layers[0].dec_attn.qkv_net.weight if name != "learnable" else net.r_emb
        results[name + "_embedding"] = net.word_emb.emb_layers[0].weight
    embedding, criterion = AdaptiveEmbedding(20, 8, 6, [5, 12], div_val=2), ProjectedAdaptiveLogSoftmax(20, 8, 6, [5, 12], div_val=2)
    results["parameters"] = np.array([sum(p.nelement() for p in net.parameters()) for net in (embedding, criterion)])
    return results
