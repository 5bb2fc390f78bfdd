import argparse

import numpy as np
import torch

from xlm.model import build_model, check_model_params
from xlm.model.transformer import get_masks
from xlm.data.dictionary import Dictionary, BOS_WORD, EOS_WORD, PAD_WORD, UNK_WORD, SPECIAL_WORD, SPECIAL_WORDS
from xlm.trainer import SingleTrainer
from xlm.utils import concat_batches, truncate

params = argparse.Namespace(
    encoder_only=True, n_langs=2, id2lang={0: "en", 1: "fr"}, lang2id={"en": 0, "fr": 1}, langs=["en", "fr"],
    emb_dim=16, n_heads=2, n_layers=2, dropout=0.0, attention_dropout=0.0, gelu_activation=True, asm=False,
    sinusoidal_embeddings=False, share_inout_emb=True, use_lang_emb=True, use_memory=False, bptt=8, reload_emb="", word_shuffle=0, word_dropout=0.0, word_blank=0.0,
    word_pred=0.3, sample_alpha=0, word_mask_keep_rand="1,0,0", ae_steps=[], mt_steps=[], bt_steps=[], pc_steps=[],
    max_vocab=-1, reload_model="", reload_checkpoint="", dump_path=".", optimizer="adam_inverse_sqrt,lr=0.001,warmup_updates=4",
    clip_grad_norm=5.0, amp=-1, fp16=False, accumulate_gradients=1, multi_gpu=False, local_rank=0, epoch_size=100,
    batch_size=4, group_by_size=True, context_size=0, stopping_criterion="", validation_metrics="", is_master=True,
    lambda_clm="1", lambda_mlm="0:1,10:0.5", lambda_pc="1", lambda_ae="1", lambda_mt="1", lambda_bt="1",
)  # fmt: skip


def dictionary():
    words = [BOS_WORD, EOS_WORD, PAD_WORD, UNK_WORD] + [SPECIAL_WORD % i for i in range(SPECIAL_WORDS)]
    words += [f"word{i}" for i in range(20)]
    counts = {word: 0 if i < 4 + SPECIAL_WORDS else 60 - i for i, word in enumerate(words)}
    return Dictionary(dict(enumerate(words)), {word: i for i, word in enumerate(words)}, counts)


dico = dictionary()
params.n_words = len(dico)
params.bos_index, params.eos_index = dico.index(BOS_WORD), dico.index(EOS_WORD)
params.pad_index, params.unk_index = dico.index(PAD_WORD), dico.index(UNK_WORD)
params.mask_index = dico.index(SPECIAL_WORD % 1)
check_model_params(params)


def batch(seed, bs=4):
    rng = np.random.RandomState(seed)
    lengths = torch.from_numpy(np.sort(rng.randint(4, 9, bs))[::-1].copy())
    x = torch.full((int(lengths.max()), bs), params.pad_index, dtype=torch.long)
    for i, length in enumerate(lengths.tolist()):
        x[:length, i] = torch.from_numpy(rng.randint(14, params.n_words, length))
        x[0, i] = params.eos_index
        x[length - 1, i] = params.eos_index
    return x, lengths


class Stream:
    def get_iterator(self, shuffle=True, **settings):
        return iter([batch(seed) for seed in range(10, 20)])


class Pairs:
    def get_iterator(self, shuffle=True, **settings):
        return iter([(batch(seed), batch(seed + 50)) for seed in range(20, 30)])


def build():
    encoder = build_model(params, dico)
    causal = argparse.Namespace(**{**vars(params), "encoder_only": False, "share_inout_emb": False})
    return (encoder, build_model(causal, dico)[1])


def init():
    torch.manual_seed(1)
    model = build_model(params, dico)
    return {"embeddings": model.embeddings.weight[3:], "linear": model.ffns[0].lin1.weight}


def forward(model, decoder):
    model.eval()
    decoder.eval()
    x, lengths = batch(0)
    y, y_lengths = batch(1)
    both = concat_batches(x, lengths, 0, y, y_lengths, 1, params.pad_index, params.eos_index, reset_positions=True)
    encoded = model("fwd", x=x, lengths=lengths, langs=x.clone().fill_(1), causal=False)
    return {
        "encoded": encoded,
        "masks": lambda: [mask.long() for mask in get_masks(8, torch.tensor([8, 3]), True)],
        "both": lambda: list(both),
        "translation": lambda: model("fwd", x=both[0], lengths=both[1], positions=both[2], langs=both[3], causal=False),
        "truncated": lambda: list(truncate(x, lengths, 5, params.eos_index)),
        "decoded": lambda: decoder("fwd", x=y, lengths=y_lengths, causal=True, src_enc=encoded.transpose(0, 1), src_len=lengths),
        "generated": lambda: list(decoder.generate(encoded.transpose(0, 1), lengths, 1, max_len=10)),
        "beam": lambda: list(
            decoder.generate_beam(encoded.transpose(0, 1), lengths, 1, 2, 1.0, early_stopping=False, max_len=10)
        ),
    }


def train(model, decoder):
    np.random.seed(5)
    torch.manual_seed(5)
    data = {
        "dico": dico,
        "mono_stream": {lang: {"train": Stream()} for lang in params.langs},
        "para": {("en", "fr"): {"train": Pairs()}},
    }
    trainer = SingleTrainer(model, data, params)
    losses = []
    for step in range(3):
        trainer.mlm_step("en", None, params.lambda_mlm)
        trainer.mlm_step("en", "fr", params.lambda_mlm)
        trainer.clm_step("fr", None, params.lambda_clm)
        trainer.iter()
    for name in ("MLM-en", "MLM-en-fr", "CLM-fr"):
        losses += trainer.stats[name]
    trainer.save_checkpoint("saved")
    trainer.optimizers["model"].load_state_dict(torch.load("saved.pth", weights_only=False)["model_optimizer"])
    return {
        "losses": losses,
        "lr": trainer.optimizers["model"].param_groups[0]["lr"],
        "sentences": trainer.n_sentences,
        "embeddings": model.embeddings.weight,
        "attention": model.attentions[1].q_lin.weight,
        "positions": model.position_embeddings.weight[:6],
    }
