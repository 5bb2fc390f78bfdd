import argparse
import os
import runpy
import shutil
import sys

import numpy as np
import tensorboardX
import torch
import torch.utils.tensorboard

import captioning.data.dataloader as dataloader
import captioning.models as models
import captioning.modules.losses as losses
import captioning.utils.eval_utils as eval_utils
import captioning.utils.misc as utils
import captioning.utils.opts as opts
from captioning.models.utils import repeat_tensors, split_tensors
from captioning.modules.loss_wrapper import LossWrapper

WORDS, LENGTH, REGIONS = 14, 6, 5
VOCAB = {str(i): word for i, word in enumerate(["", "a", "dog", "cat", "the", "runs", "on", "grass", "sits", "red", "big", "ball", "with", "is", "UNK"]) if i}  # fmt: skip


def settings(model, *more):
    argv = sys.argv
    sys.argv = ["train.py", "--caption_model", model, "--rnn_size", "12", "--input_encoding_size", "12", "--att_hid_size", "12", "--val_images_use", "3",
                "--fc_feat_size", "9", "--att_feat_size", "9", "--drop_prob_lm", "0", "--batch_size", "3", "--seq_per_img", "2",
                "--checkpoint_path", "log_" + model, "--id", model, "--max_length", str(LENGTH), "--losses_log_every", "1",
                *more]  # fmt: skip
    try:
        opt = opts.parse_opt()
    finally:
        sys.argv = argv
    opt.vocab_size, opt.seq_length, opt.vocab = WORDS, LENGTH, VOCAB
    return opt


def transformer():
    opt = settings("transformer")
    opt.N_enc = opt.N_dec = 1
    opt.d_model, opt.d_ff, opt.num_att_heads, opt.dropout = 12, 16, 3, 0.0
    return opt


KINDS = ("updown", "att2in2", "adaattmo", "denseatt", "newfc")


def build():
    nets = [models.setup(settings(kind, "--use_bn", "1" if kind == "updown" else "0")) for kind in KINDS]
    return *nets, models.setup(transformer())


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def batch(seed, rows=3, each=2):
    rng = np.random.RandomState(seed)
    labels = np.zeros((rows, each, LENGTH + 2), dtype="int64")
    masks = np.zeros((rows, each, LENGTH + 2), dtype="float32")
    for row in range(rows):
        for i in range(each):
            length = rng.randint(2, LENGTH + 1)
            labels[row, i, 1 : 1 + length] = rng.randint(1, WORDS, length)
            masks[row, i, : length + 2] = 1
    att_masks = np.ones((rows, REGIONS), dtype="float32")
    att_masks[0, 3:] = 0
    att_masks[1, 4:] = 0
    return {
        "fc_feats": numbers(seed + 1, rows, 9),
        "att_feats": numbers(seed + 2, rows, REGIONS, 9).abs(),
        "labels": torch.from_numpy(labels),
        "masks": torch.from_numpy(masks),
        "att_masks": torch.from_numpy(att_masks),
        "gts": [labels[row, :, 1:-1] for row in range(rows)],
        "infos": [{"id": row, "file_path": str(row)} for row in range(rows)],
        "bounds": {"it_pos_now": 0, "it_max": rows, "wrapped": True},
    }


class Loader:
    """The repository's loader without its files."""

    def __init__(self, opt):
        self.vocab_size, self.seq_length, self.count = WORDS, LENGTH, 0

    def get_vocab(self):
        return VOCAB

    def get_batch(self, split):
        self.count += split == "train"
        return batch(100 if split == "val" else 10 * self.count)

    def reset_iterator(self, split):
        pass

    def state_dict(self):
        return {"count": self.count}

    def load_state_dict(self, state):
        if state is not None:
            self.count = state["count"]


class SummaryWriter:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)

    def add_scalar(self, name, value, step):
        pass


dataloader.DataLoader = Loader
torch.utils.tensorboard.SummaryWriter = tensorboardX.SummaryWriter = SummaryWriter


def get_scores(data_gts, gen_result, opt):
    """Stands for CIDEr: how many different words a caption has, of which how many are right."""
    rows = gen_result.data.cpu().numpy()
    each = len(rows) // len(data_gts)
    return np.array(
        [len(set(row[row > 0]) & set(np.ravel(data_gts[i // each]))) * 0.3 for i, row in enumerate(rows)]
    )


losses.get_scores = get_scores
eval_utils.language_eval = lambda *args: {"CIDEr": 0.5}


def joined(outputs):
    return torch.cat([one.reshape(-1).float() for one in outputs])


def taught(net):
    data = batch(1)
    return net(data["fc_feats"], data["att_feats"], data["labels"][..., :-1], data["att_masks"])


def sampled(net, **opt):
    data = batch(2)
    with torch.no_grad():
        seq, logprobs = net(data["fc_feats"], data["att_feats"], data["att_masks"], opt=opt, mode="sample")
    # Words that are ruled out have no number that can be compared.
    return joined([seq, torch.clamp(logprobs, min=-50.0)])


def criteria():
    rng = np.random.RandomState(5)
    seq = torch.from_numpy(rng.randint(0, WORDS, (6, LENGTH)))
    logprobs = torch.log_softmax(numbers(6, 6, LENGTH, WORDS + 1), dim=2)
    target, mask = batch(7)["labels"][..., 1:], batch(7)["masks"][..., 1:]
    given = torch.log_softmax(numbers(8, 6, LENGTH + 1, WORDS + 1), dim=2)
    made = [
        losses.LanguageModelCriterion()(given, target, mask),
        losses.LabelSmoothing(smoothing=0.1)(given, target, mask),
    ]
    made.append(losses.RewardCriterion()(logprobs, seq, numbers(9, 6, LENGTH)))
    for kind in (
        "seqnll",
        "risk",
        "max_margin",
        "multi_margin",
        "softmax_margin",
        "new_self_critical",
        "best_of_n",
    ):
        opt = argparse.Namespace(structure_loss_type=kind, train_sample_n=2, entropy_reward_weight=0.1)
        made.append(losses.StructureLosses(opt)(logprobs, seq, batch(7)["gts"])["loss"])
    return torch.stack(made)


def forward(*nets):
    for net in nets:
        net.eval()
    updown, att2in2, adaatt, denseatt, newfc, transformer_net = nets
    return {
        **{kind: (lambda net=net: taught(net)) for kind, net in zip(KINDS, nets)},
        "transformer": lambda: taught(transformer_net),
        "greedy": lambda: sampled(updown),
        "blocked": lambda: sampled(att2in2, block_trigrams=1, decoding_constraint=1),
        "endings": lambda: sampled(adaatt, remove_bad_endings=1),
        "beam": lambda: sampled(updown, beam_size=3, sample_n=1, length_penalty="wu_0.5"),
        "beams": lambda: sampled(att2in2, beam_size=3, sample_n=3, suppress_UNK=1),
        "groups": lambda: sampled_groups(att2in2),
        "transformer_beam": lambda: sampled(transformer_net, beam_size=2, sample_n=1),
        "criteria": criteria,
        "repeated": lambda: joined(repeat_tensors(2, [numbers(1, 2, 3), [numbers(2, 2, 2, 2)]])[:1]),
        "split": lambda: joined(split_tensors(2, numbers(3, 4, 3))),
        "words": lambda: [
            len(text) for text in utils.decode_sequence(VOCAB, torch.tensor([[1, 2, 5, 0], [4, 3, 8, 6]]))
        ],
        "bytes": lambda: len(utils.deserialize(utils.serialize_to_tensor(VOCAB))),
    }


def sampled_groups(net):
    data = batch(3)
    with torch.no_grad():
        made = net(
            data["fc_feats"],
            data["att_feats"],
            data["att_masks"],
            opt={"group_size": 2, "sample_method": "greedy"},
            mode="sample",
        )
    return joined(made)


def run(net, kind, *options):
    """The script itself, with our network."""
    argv, made, setup = sys.argv, [], models.setup
    models.setup = lambda opt: net
    opt = settings(kind, *options)
    parse, opts.parse_opt = opts.parse_opt, lambda: opt
    try:
        runpy.run_path("tools/train.py")
    finally:
        models.setup, opts.parse_opt, sys.argv = setup, parse, argv
    with open(f"log_{kind}/histories_{kind}.pkl", "rb") as file:
        return utils.pickle_load(file)


def learned(history):
    return [float(value) for value in history["loss_history"].values()]


def judged(history):
    return [value["loss"] for value in history["val_result_history"].values()]


def train(*nets):
    updown, att2in2, adaatt, denseatt, newfc, transformer_net = nets
    for kind in KINDS:
        shutil.rmtree("log_" + kind, ignore_errors=True)
    every = ["--save_checkpoint_every", "1", "--max_epochs", "3", "--learning_rate", "0.003"]
    first = run(
        updown, "updown", *every, "--reduce_on_plateau", "--language_eval", "1", "--use_bn", "1", "--reduce_on_plateau_patience", "0"
    )
    second = run(att2in2, "att2in2", *every, "--structure_after", "0", "--structure_loss_type", "new_self_critical",
                 "--train_sample_method", "beam_search", "--train_beam_size", "2", "--train_sample_n", "2",
                 "--structure_loss_weight", "0.6", "--optim", "rmsprop")  # fmt: skip
    third = run(adaatt, "adaattmo", *every, "--label_smoothing", "0.1", "--drop_worst_after", "1", "--drop_worst_rate", "0.4",
                "--grad_clip_mode", "norm", "--learning_rate_decay_start", "0", "--learning_rate_decay_every", "1")  # fmt: skip
    again = run(newfc, "newfc", *every, "--optim", "adagrad")
    resumed = models.setup(settings("newfc"))
    more = run(
        resumed,
        "newfc",
        *every[:2],
        "--max_epochs",
        "5",
        "--learning_rate",
        "0.003",
        "--optim",
        "adagrad",
        "--start_from",
        "log_newfc",
    )
    optimizer = utils.get_std_opt(transformer_net_of(transformer_net), factor=1, warmup=2)
    wrapper, noam = LossWrapper(transformer_net, transformer()), []
    for step in range(3):
        data = batch(50 + step)
        optimizer.zero_grad()
        loss = wrapper(data["fc_feats"], data["att_feats"], data["labels"], data["masks"], data["att_masks"], data["gts"],
                       torch.arange(0, 3), False, False, False)["loss"].mean()  # fmt: skip
        loss.backward()
        utils.set_lr(optimizer, 0.0)
        optimizer.step()
        noam.append([loss.item(), optimizer.rate()])
    return {
        "losses": learned(first),
        "judged": judged(first),
        "rates": [float(value) for value in first["lr_history"].values()],
        "structure": learned(second),
        "worst": learned(third),
        "again": learned(more),
        "first": learned(again),
        "noam": noam,
        "attention": updown.core.attention.h2att.weight,
        "lstm": updown.core.lang_lstm.weight_hh,
        "embed": att2in2.embed[0].weight,
        "maxout": adaatt.core.lstm.r_h2h.weight
        if hasattr(adaatt.core.lstm, "r_h2h")
        else adaatt.logit.weight,
        "resumed": resumed.logit.weight,
        "transformer": transformer_net.model.generator.proj.weight,
    }


def transformer_net_of(net):
    net.d_model = 12
    return net


def init():
    torch.manual_seed(0)
    nets = build()
    return {
        "lstm": nets[0].core.att_lstm.weight_ih,
        "transformer": nets[5].model.encoder.layers[0].feed_forward.w_1.weight,
    }
