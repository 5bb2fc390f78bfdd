import numpy as np
import torch
from torch import nn

from onmt.bin.train import _get_parser
from onmt.constants import DefaultTokens
from onmt.model_builder import build_model
from onmt.modules import GlobalAttention
from onmt.modules.sparse_activations import LogSparsemax, Sparsemax
from onmt.modules.sparse_losses import SparsemaxLoss
from onmt.trainer import Trainer
from onmt.utils.loss import LossCompute
from onmt.utils.misc import sequence_mask, tile
from onmt.utils.optimizers import Optimizer
from onmt.utils.report_manager import ReportMgr
from onmt.utils.parse import ArgumentParser


class Vocab:
    """Has what is asked of pyonmttok's vocabularies."""

    def __init__(self, size):
        special = [DefaultTokens.UNK, DefaultTokens.PAD, DefaultTokens.BOS, DefaultTokens.EOS]
        self.ids_to_tokens = special + [f"w{index}" for index in range(size - 4)]
        self.tokens_to_ids = {token: index for index, token in enumerate(self.ids_to_tokens)}

    def __len__(self):
        return len(self.ids_to_tokens)

    def __getitem__(self, token):
        return self.tokens_to_ids.get(token, 0)

    lookup_token = __getitem__


vocabs = {"src": Vocab(30), "tgt": Vocab(26), "data_task": "seq2seq"}
COMMON = (
    "-config nothing.yaml -hidden_size 16 -word_vec_size 16 -dropout 0 -attention_dropout 0 -transformer_ff 24 "
    "-heads 4 -layers 2 -max_grad_norm 1 -world_size 1 -save_model model -src_vocab v -tgt_vocab v "
)
KINDS = {
    "transformer": "-encoder_type transformer -decoder_type transformer -position_encoding -optim adam "
    "-adam_beta2 0.998 -decay_method noam -warmup_steps 10 -learning_rate 2 -label_smoothing 0.1 "
    "-param_init 0 -param_init_glorot -accum_count 2",
    "rotary": "-encoder_type transformer -decoder_type transformer -max_relative_positions -1 -layer_norm rms "
    "-pos_ffn_activation_fn silu -optim sgd -learning_rate 0.5 -share_decoder_embeddings",
    "relative": "-encoder_type transformer -decoder_type transformer -max_relative_positions 4 "
    "-pos_ffn_activation_fn gelu -optim adagrad -learning_rate 0.1",
    "rnn": "-encoder_type brnn -decoder_type rnn -rnn_type LSTM -global_attention general -optim adam "
    "-learning_rate 0.002",
    "input_feed": "-encoder_type rnn -decoder_type rnn -rnn_type GRU -input_feed 1 -global_attention mlp "
    "-optim adadelta -learning_rate 1 -coverage_attn -lambda_coverage 0.1",
    "cnn": "-encoder_type cnn -decoder_type cnn -cnn_kernel_width 3 -optim adafactor -learning_rate 0.01",
}


def options(kind):
    with open("nothing.yaml", "w", encoding="utf-8") as f:
        f.write("data: {}\n")
    opt = _get_parser().parse_args((COMMON + KINDS[kind]).split())
    ArgumentParser.update_model_opts(opt)
    ArgumentParser.validate_model_opts(opt)
    return opt


def build():
    # In a list, because their own load_state_dict wants a checkpoint of OpenNMT.
    return nn.ModuleList(build_model(options(kind), options(kind), vocabs, None, -1) for kind in KINDS)


def batch(seed):
    rng = np.random.RandomState(seed)
    src, tgt = rng.randint(4, 30, (3, 7, 1)), rng.randint(4, 26, (3, 6, 1))
    lengths = np.array([7, 5, 4])
    pad = vocabs["src"][DefaultTokens.PAD]
    for row, length in enumerate(lengths):
        src[row, length:] = pad
        tgt[row, length - 1 :] = pad
    tgt[:, 0] = vocabs["tgt"][DefaultTokens.BOS]
    return {
        "src": torch.from_numpy(src),
        "tgt": torch.from_numpy(tgt),
        "srclen": torch.from_numpy(lengths),
    }


def forward(models):
    data = batch(0)
    outputs = {}
    for kind, model in zip(KINDS, models):
        model.eval()

        def run(model=model):
            out, attns = model(data["src"], data["tgt"], data["srclen"])
            return [out, attns["std"], model.generator(out)]

        outputs[kind] = run
    rng = np.random.RandomState(5)
    x, y, z = (torch.from_numpy(part.astype("float32")) for part in rng.randn(3, 4, 5))
    outputs["sparsemax"] = lambda: [Sparsemax(-1)(x), LogSparsemax(-1)(x)]
    outputs["sparse_loss"] = lambda: SparsemaxLoss(ignore_index=1)(x, torch.tensor([0, 1, 4, 2]))
    outputs["mask"] = lambda: [sequence_mask(torch.tensor([2, 4, 1])), tile(x, 2, dim=1)]
    outputs["dot"] = lambda: list(GlobalAttention(5, attn_type="dot", attn_func="sparsemax").score(x[None], y[None]))
    return outputs


def train(models):
    results = {}
    for kind, model in zip(KINDS, models):
        opt = options(kind)
        optim = Optimizer.from_opt(model, opt)
        loss = LossCompute.from_opts(opt, model, vocabs["tgt"])
        valid_loss = LossCompute.from_opts(opt, model, vocabs["tgt"], train=False)

        class NoScores:
            transforms = None

        trainer = Trainer(
            model, loss, valid_loss, NoScores(), {}, optim, trunc_size=opt.truncated_decoder,
            norm_method="tokens", accum_count=opt.accum_count, accum_steps=opt.accum_steps, n_gpu=0, gpu_rank=-1,
            report_manager=ReportMgr(100),
            dropout=opt.dropout, attention_dropout=opt.attention_dropout, dropout_steps=opt.dropout_steps,
            average_decay=0.1 if kind == "transformer" else 0,
        )  # fmt: skip
        history = []
        for epoch in range(2):
            stats = trainer.train([(batch(10 * epoch + step), 0) for step in range(2)], 100)
            history += [stats.xent(), stats.accuracy(), stats.n_words]
        history.append(trainer.validate([(batch(50), 0)]).ppl())
        results[kind] = history
        results[kind + "_rate"] = optim.learning_rate()
        results[kind + "_embedding"] = model.decoder.embeddings.word_lut.weight
        results[kind + "_encoder"] = list(model.encoder.parameters())[-1]
    return results
