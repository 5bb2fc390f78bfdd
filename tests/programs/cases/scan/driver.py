from argparse import Namespace

import numpy as np
import torch

from evaluation import LogCollector, i2t, shard_xattn_i2t, shard_xattn_t2i
from model import SCAN, func_attention, xattn_score_i2t, xattn_score_t2i

WORDS = 30


def settings(**more):
    said = dict(
        data_name="made_precomp",
        img_dim=20,
        embed_size=16,
        word_dim=12,
        vocab_size=WORDS,
        num_layers=1,
        bi_gru=True,
        precomp_enc_type="basic",
        no_imgnorm=False,
        no_txtnorm=False,
        grad_clip=2.0,
        margin=0.2,
        max_violation=False,
        learning_rate=0.01,
        cross_attn="t2i",
        raw_feature_norm="clipped_l2norm",
        agg_func="LogSumExp",
        lambda_lse=6.0,
        lambda_softmax=9.0,
    )
    said.update(more)
    return Namespace(**said)


SETTINGS = [
    settings(),
    settings(
        cross_attn="i2t",
        agg_func="Mean",
        raw_feature_norm="softmax",
        lambda_softmax=4.0,
        precomp_enc_type="weight_norm",
        bi_gru=False,
        max_violation=True,
    ),
]
MODELS = []


def build():
    MODELS[:] = [SCAN(one) for one in SETTINGS]
    return tuple(net for model in MODELS for net in (model.img_enc, model.txt_enc))


def batch(seed, count=4):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.rand(count, 6, 20).astype(np.float32))
    lengths = sorted((int(n) for n in rng.randint(3, 8, count)), reverse=True)
    captions = torch.zeros(count, lengths[0]).long()
    for row, length in enumerate(lengths):
        captions[row, :length] = torch.from_numpy(rng.randint(1, WORDS, length))
    return images, captions, lengths


def with_nets(nets):
    for model, image, text in zip(MODELS, nets[::2], nets[1::2]):
        model.img_enc, model.txt_enc = image, text
        model.params = [*text.parameters(), *image.fc.parameters()]
        model.optimizer = torch.optim.Adam(model.params, lr=0.01)
        model.logger = LogCollector()
    return MODELS


def forward(*nets):
    outputs = {}
    for number, (said, model) in enumerate(zip(SETTINGS, with_nets(nets))):
        model.val_start()
        images, captions, lengths = batch(0)

        def embedded(model=model):
            return model.forward_emb(images, captions, lengths)

        outputs[f"images_{number}"] = lambda embedded=embedded: embedded()[0]
        outputs[f"captions_{number}"] = lambda embedded=embedded: embedded()[1]
        outputs[f"t2i_{number}"] = lambda embedded=embedded, said=said: xattn_score_t2i(*embedded(), said)
        outputs[f"i2t_{number}"] = lambda embedded=embedded, said=said: xattn_score_i2t(*embedded(), said)
        outputs[f"attention_{number}"] = lambda said=said: func_attention(
            torch.ones(2, 5, 4) * 0.3, torch.ones(2, 3, 4) * torch.tensor([0.1, 0.2, 0.3])[:, None], said, smooth=3.0
        )[0]
    return outputs


def train(*nets):
    result = {}
    for number, (said, model) in enumerate(zip(SETTINGS, with_nets(nets))):
        model.train_start()
        for step in range(3):
            model.train_emb(*batch(10 + step))
        result[f"loss_{number}"] = model.logger.meters["Le"].avg
        result[f"fc_{number}"] = model.img_enc.fc.bias
        result[f"rnn_{number}"] = model.txt_enc.rnn.weight_ih_l0
        result[f"words_{number}"] = model.txt_enc.embed.weight
    model = MODELS[0]
    model.val_start()
    with torch.no_grad():
        images, captions, lengths = batch(30, 10)
        image, caption, length = model.forward_emb(images, captions, lengths)
        sims = shard_xattn_t2i(image.numpy()[::5], caption.numpy(), [int(n) for n in length], SETTINGS[0], shard_size=4)
        other = shard_xattn_i2t(image.numpy()[::5], caption.numpy(), [int(n) for n in length], SETTINGS[0], shard_size=4)
    result["sims"] = np.array(sims)
    result["other"] = np.array(other)
    result["recall"] = np.array(i2t(np.zeros((2, 1)), caption.numpy(), lengths, sims))
    return result


def init():
    torch.manual_seed(0)
    model = SCAN(settings(img_dim=60, embed_size=60, vocab_size=200))
    return {"fc": model.img_enc.fc.weight, "words": model.txt_enc.embed.weight, "rnn": model.txt_enc.rnn.weight_hh_l0}
