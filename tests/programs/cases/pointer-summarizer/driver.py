import argparse
import sys

sys.path.insert(0, "training_ptr_gen")  # as start_train.sh sets PYTHONPATH, and runs the script in its folder

import numpy as np
import torch

from data_util import config

config.vocab_size, config.hidden_dim, config.emb_dim = 20, 6, 5
config.rand_unif_init_mag = config.trunc_norm_init_std = 0.3

from model import Model
from torch.optim import Adagrad
from train import Train
from train_util import get_input_from_batch
from transformer_encoder import Encoder as TransformerEncoder

BATCH, SOURCE, TARGET = 3, 7, 5


def batch(seed):
    rng = np.random.RandomState(seed)
    enc_lens = np.array([7, 5, 4], dtype=np.int32)
    dec_lens = np.array([5, 3, 4], dtype=np.int32)
    extended = rng.randint(1, config.vocab_size + 2, (BATCH, SOURCE))
    padded = (np.arange(SOURCE) < enc_lens[:, None]).astype(np.float32)
    return argparse.Namespace(
        enc_lens=enc_lens,
        enc_batch=np.where(extended < config.vocab_size, extended, 0).astype(np.int32),
        enc_batch_extend_vocab=extended.astype(np.int32),
        enc_padding_mask=padded,
        max_art_oovs=2,
        dec_batch=rng.randint(1, config.vocab_size, (BATCH, TARGET)).astype(np.int32),
        target_batch=rng.randint(1, config.vocab_size + 2, (BATCH, TARGET)).astype(np.int32),
        dec_padding_mask=(np.arange(TARGET) < dec_lens[:, None]).astype(np.float32),
        dec_lens=dec_lens,
    )


def build():
    nets = []
    for config.is_coverage in (False, True):
        model = Model()
        nets += [model.encoder, model.decoder, model.reduce_state]
    return (*nets, TransformerEncoder(2, 2, 0.0, 6, 8))


def decoded(encoder, decoder, reduce_state, coverage):
    config.is_coverage = coverage
    given = get_input_from_batch(batch(0), False)
    enc_batch, enc_padding_mask, enc_lens, extended, extra_zeros, c_t_1, coverage = given
    outputs, features, hidden = encoder(enc_batch, enc_lens)
    first = torch.from_numpy(batch(0).dec_batch[:, 0]).long()
    return decoder(
        first,
        reduce_state(hidden),
        outputs,
        features,
        enc_padding_mask,
        c_t_1,
        extra_zeros,
        extended,
        coverage,
        0,
    )


def forward(*nets):
    for net in nets:
        net.eval()
    plain, covered = decoded(*nets[:3], False), decoded(*nets[3:6], True)
    rng = np.random.RandomState(4)
    words = torch.from_numpy(rng.randn(2, 4, 6).astype("float32"))
    mask = torch.ones(2, 4, 1)
    return {
        "plain": plain[0],
        "attention": plain[3],
        "covered": covered[0],
        "coverage": covered[5],
        "transformer": lambda: nets[6](words, mask),
    }


def train(*nets):
    results = {}
    for place in range(2):
        config.is_coverage = place == 1
        processor = Train.__new__(Train)
        processor.setup_train()
        processor.model.encoder, processor.model.decoder, processor.model.reduce_state = nets[
            3 * place : 3 * place + 3
        ]
        params = [p for net in nets[3 * place : 3 * place + 3] for p in net.parameters()]
        processor.optimizer = Adagrad(params, lr=0.05, initial_accumulator_value=config.adagrad_init_acc)
        for net in nets:
            net.train()
        results[f"losses_{place}"] = [processor.train_one_batch(batch(1 + i)) for i in range(3)]
        results[f"norm_{place}"] = processor.norm
        results[f"embedding_{place}"] = processor.model.decoder.embedding.weight
        results[f"lstm_{place}"] = processor.model.encoder.lstm.weight_hh_l0_reverse
        results[f"pointer_{place}"] = processor.model.decoder.p_gen_linear.weight
    return results
