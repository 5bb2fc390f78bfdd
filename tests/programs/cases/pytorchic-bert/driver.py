import tempfile
from pathlib import Path

import numpy as np
import optim
import torch
import torch.nn as nn
import train as training
from pretrain import BertModel4Pretrain
from utils import get_device

import models

VOCABULARY, LENGTH, PREDICTIONS, BATCH = 60, 16, 3, 4


def build():
    cfg = models.Config(
        vocab_size=VOCABULARY,
        dim=32,
        n_layers=2,
        n_heads=4,
        dim_ff=64,
        p_drop_hidden=0.0,
        p_drop_attn=0.0,
        max_len=LENGTH,
        n_segments=2,
    )
    return BertModel4Pretrain(cfg)


def sentences(seed):
    """A batch as SentPairDataLoader gives it: pairs of sentences, padded, with masked words."""
    random = np.random.RandomState(seed)
    input_ids = random.randint(1, VOCABULARY, (BATCH, LENGTH))
    input_mask = np.ones((BATCH, LENGTH), dtype="int64")
    for row, length in enumerate(random.randint(LENGTH // 2, LENGTH + 1, BATCH)):
        input_ids[row, length:] = 0
        input_mask[row, length:] = 0
    segment_ids = np.repeat([[0] * (LENGTH // 2) + [1] * (LENGTH // 2)], BATCH, axis=0) * input_mask
    masked_ids = random.randint(1, VOCABULARY, (BATCH, PREDICTIONS))
    masked_pos = random.randint(1, LENGTH // 2, (BATCH, PREDICTIONS))
    masked_weights = (random.uniform(size=(BATCH, PREDICTIONS)) > 0.2).astype("int64")
    is_next = random.randint(0, 2, (BATCH,))
    batch = [input_ids, segment_ids, input_mask, masked_ids, masked_pos, masked_weights, is_next]
    return [torch.tensor(values, dtype=torch.long) for values in batch]


def forward(model):
    model.eval()
    input_ids, segment_ids, input_mask, _, masked_pos, _, _ = sentences(0)
    with torch.no_grad():
        logits_lm, logits_clsf = model(input_ids, segment_ids, input_mask, masked_pos)
    return {
        "logits_lm": logits_lm,
        "logits_clsf": logits_clsf,
        "scores": model.transformer.blocks[0].attn.scores,
    }


def train(model):
    cfg = training.Config(batch_size=BATCH, lr=1e-3, n_epochs=2, warmup=0.1, save_steps=100, total_steps=20)
    criterion1 = nn.CrossEntropyLoss(reduction="none")
    criterion2 = nn.CrossEntropyLoss()
    optimizer = optim.optim4GPU(cfg, model)
    losses, rates = [], []

    def get_loss(model, batch, global_step):
        input_ids, segment_ids, input_mask, masked_ids, masked_pos, masked_weights, is_next = batch
        logits_lm, logits_clsf = model(input_ids, segment_ids, input_mask, masked_pos)
        loss_lm = criterion1(logits_lm.transpose(1, 2), masked_ids)
        loss_lm = (loss_lm * masked_weights.float()).mean()
        loss_clsf = criterion2(logits_clsf, is_next)
        losses.append((loss_lm + loss_clsf).item())
        rates.append(optimizer.get_lr()[0])
        return loss_lm + loss_clsf

    with tempfile.TemporaryDirectory() as save_dir:
        trainer = training.Trainer(
            cfg, model, [sentences(1), sentences(2)], optimizer, save_dir, get_device()
        )
        trainer.train(get_loss, None, None, data_parallel=False)
        saved = len(list(Path(save_dir).iterdir()))
    return {
        "losses": losses,
        "rates": rates,
        "saved": saved,
        "embedding": model.transformer.embed.tok_embed.weight,
        "norm": model.norm.gamma,
    }
