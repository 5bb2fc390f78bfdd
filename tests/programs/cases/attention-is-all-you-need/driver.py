from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

from train import cal_performance, eval_epoch, train_epoch
from transformer.Models import Transformer
from transformer.Optim import ScheduledOptim
from transformer.SubLayers import MultiHeadAttention
from transformer.Translator import Translator

WORDS, PAD, BOS, EOS = 24, 1, 2, 3


def build():
    nets = []
    for scale, shared in (("prj", True), ("emb", True), ("none", False)):
        nets.append(
            Transformer(
                WORDS,
                WORDS,
                src_pad_idx=PAD,
                trg_pad_idx=PAD,
                trg_emb_prj_weight_sharing=shared,
                emb_src_trg_weight_sharing=shared,
                d_k=8,
                d_v=8,
                d_model=16,
                d_word_vec=16,
                d_inner=32,
                n_layers=2,
                n_head=2,
                dropout=0.0,
                n_position=30,
                scale_emb_or_prj=scale,
            )
        )
    for net in nets:
        for module in net.modules():
            if isinstance(module, MultiHeadAttention):
                module.attention.dropout = nn.Identity()  # drops something whatever the transformer is told
    return tuple(nets)


def batch(seed, count=3, length=9):
    """Sentences as torchtext gives them: the first axis is time."""
    random = np.random.RandomState(seed)
    src = random.randint(4, WORDS, (length, count)).astype("int64")
    trg = random.randint(4, WORDS, (length + 1, count)).astype("int64")
    src[6:, 0] = PAD
    trg[0], trg[7, 1], trg[8:, 1] = BOS, EOS, PAD
    return SimpleNamespace(src=torch.from_numpy(src), trg=torch.from_numpy(trg))


def translated(model, seed):
    translator = Translator(
        model=model, beam_size=3, max_seq_len=10, src_pad_idx=PAD, trg_pad_idx=PAD, trg_bos_idx=BOS, trg_eos_idx=EOS
    )
    return np.array(translator.translate_sentence(batch(seed).src.transpose(0, 1)[1:2]))


def forward(*nets):
    outputs = {}
    given = batch(0)
    for name, net in zip(("prj", "emb", "none"), nets):
        net.eval()
        outputs[name] = net(given.src.transpose(0, 1), given.trg.transpose(0, 1)[:, :-1])
        gold = given.trg.transpose(0, 1)[:, 1:].contiguous().view(-1)
        for smoothing in (False, True):
            loss, correct, words = cal_performance(outputs[name], gold, PAD, smoothing=smoothing)
            outputs["%s_%s" % (name, smoothing)] = [loss, torch.tensor(correct), torch.tensor(words)]
        outputs[name + "_sentence"] = lambda net=net: translated(net, 3)
    return outputs


def train(*nets):
    opt = SimpleNamespace(src_pad_idx=PAD, trg_pad_idx=PAD)
    result = {}
    for index, net in enumerate(nets):
        optimizer = ScheduledOptim(optim.Adam(net.parameters(), betas=(0.9, 0.98), eps=1e-09), 2.0, 16, 20)
        losses = []
        for epoch in range(3):
            data = [batch(10 + epoch)]
            losses += train_epoch(net, data, optimizer, opt, torch.device("cpu"), smoothing=index != 1)
        losses += eval_epoch(net, [batch(50)], torch.device("cpu"), opt)
        result["losses%d" % index] = losses
        result["rate%d" % index] = optimizer._optimizer.param_groups[0]["lr"]
        result["source%d" % index] = net.encoder.src_word_emb.weight
        result["projection%d" % index] = net.trg_word_prj.weight
        result["query%d" % index] = net.decoder.layer_stack[1].enc_attn.w_qs.weight
    return result


def init():
    net = build()[0]
    return {"embedding": net.trg_word_prj.weight, "query": net.encoder.layer_stack[0].slf_attn.w_qs.weight}
