import json
import os

os.environ["DISABLE_COMPILE"] = "1"

import numpy as np
import torch
from torch.utils.data import DataLoader

import pretrain
from models.ema import EMAHelper
from models.losses import softmax_cross_entropy, stablemax_cross_entropy
from puzzle_dataset import PuzzleDataset, PuzzleDatasetConfig

BATCH, LENGTH, WORDS, PUZZLES = 4, 9, 11, 7
states = {}


def write_data():
    rng = np.random.RandomState(0)
    for split in ("train", "test"):
        folder = os.path.join("data", "made_up", split)
        os.makedirs(folder, exist_ok=True)
        examples = 12
        fields = {
            "inputs": rng.randint(1, WORDS, (examples, LENGTH)).astype(np.uint8),
            "labels": rng.randint(0, WORDS, (examples, LENGTH)).astype(np.uint8),
            "puzzle_identifiers": np.arange(1, 7).astype(np.int32),
            "puzzle_indices": np.arange(0, 13, 2).astype(np.int32),
            "group_indices": np.arange(7).astype(np.int32),
        }
        for name, values in fields.items():
            np.save(os.path.join(folder, "all__%s.npy" % name), values)
        about = {
            "pad_id": 0, "ignore_label_id": 0, "blank_identifier_id": 0, "vocab_size": WORDS, "seq_len": LENGTH,
            "num_puzzle_identifiers": PUZZLES, "total_groups": 6, "mean_puzzle_examples": 2.0, "total_puzzles": 6,
            "sets": ["all"],
        }  # fmt: skip
        with open(os.path.join(folder, "dataset.json"), "w") as file:
            json.dump(about, file)


def settings(model="trm@TinyRecursiveReasoningModel_ACTV1", **more):
    arch = {
        "name": "recursive_reasoning." + model,
        "loss": {"name": "losses@ACTLossHead", "loss_type": "stablemax_cross_entropy"},
        "halt_exploration_prob": 0.0, "halt_max_steps": 2, "H_cycles": 2, "L_cycles": 2, "H_layers": 1, "L_layers": 1,
        "hidden_size": 16, "num_heads": 2, "expansion": 2, "puzzle_emb_ndim": 16, "pos_encodings": "rope",
        "forward_dtype": "float32",
    }  # fmt: skip
    arch.update(more)
    return pretrain.PretrainConfig(
        arch=arch, data_paths=[os.path.join("data", "made_up")], global_batch_size=BATCH, epochs=10, lr=1e-3,
        lr_min_ratio=0.5, lr_warmup_steps=2, weight_decay=0.1, beta1=0.9, beta2=0.95, puzzle_emb_lr=1e-2,
        puzzle_emb_weight_decay=0.1,
    )  # fmt: skip


def dataset(split, test_set_mode):
    return PuzzleDataset(
        PuzzleDatasetConfig(
            seed=0, dataset_paths=[os.path.join("data", "made_up")], global_batch_size=BATCH,
            test_set_mode=test_set_mode, epochs_per_iter=2, rank=0, num_replicas=1,
        ),
        split=split,
    )  # fmt: skip


def build():
    write_data()
    metadata = dataset("train", False).metadata
    variants = {
        "trm": settings(),
        "mixer": settings(mlp_t=True, pos_encodings="learned", puzzle_emb_len=0),
        "hrm": settings("hrm@HierarchicalReasoningModel_ACTV1"),
        "single": settings(
            "trm_singlez@TinyRecursiveReasoningModel_ACTV1", puzzle_emb_len=2, pos_encodings="none"
        ),
    }
    for name, config in variants.items():
        states[name] = (config, pretrain.init_train_state(config, metadata, rank=0, world_size=1))
    return tuple(state.model for _, state in states.values())


def init():
    torch.manual_seed(1)
    state = pretrain.init_train_state(settings(hidden_size=32), dataset("train", False).metadata, 0, 1)
    inner = state.model.model.inner
    return {
        "tokens": inner.embed_tokens.embedding_weight,
        "gate": inner.L_level.layers[0].mlp.gate_up_proj.weight,
    }


def batch_of(seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(1, WORDS, (BATCH, LENGTH)).astype(np.int32)
    labels[0, :4] = -100
    labels[3] = -100
    return {
        "inputs": torch.from_numpy(rng.randint(1, WORDS, (BATCH, LENGTH)).astype(np.int32)),
        "labels": torch.from_numpy(labels),
        "puzzle_identifiers": torch.from_numpy(rng.randint(1, PUZZLES, BATCH).astype(np.int32)),
    }


def evaluated(model):
    batch = batch_of(1)
    carry = model.initial_carry(batch)
    result = []
    while True:
        carry, loss, metrics, outputs, all_finish = model(
            carry=carry, batch=batch, return_keys=["logits", "q_halt_logits"]
        )
        result += [outputs["logits"].flatten(), outputs["q_halt_logits"], loss.reshape(1).float()]
        result.append(torch.stack([metrics[name].float() for name in sorted(metrics)]))
        if all_finish:
            break
    return torch.cat(result)


def forward(*nets):
    outputs = {}
    for (name, _), net in zip(states.items(), nets):
        net.eval()
        outputs[name] = lambda net=net: evaluated(net)
    batches = list(DataLoader(dataset("test", True), batch_size=None))
    outputs["batches"] = torch.cat([batch["labels"] for _, batch, _ in batches]).numpy()
    logits = torch.from_numpy(np.random.RandomState(2).randn(BATCH, LENGTH, WORDS).astype("float32"))
    labels = batch_of(3)["labels"]
    outputs["stablemax"] = lambda: stablemax_cross_entropy(logits, labels)
    outputs["softmax"] = lambda: softmax_cross_entropy(logits, labels)
    return outputs


def train(*nets):
    result = {}
    for (name, (config, state)), net in zip(states.items(), nets):
        np.random.seed(0)
        ema = EMAHelper(mu=0.9)
        ema.register(net)
        net.train()
        values = []
        for set_name, batch, size in DataLoader(dataset("train", False), batch_size=None):
            metrics = pretrain.train_batch(config, state, batch, size, rank=0, world_size=1)
            ema.update(net)
            if metrics is not None:
                values.append([float(metrics[key]) for key in sorted(metrics)])
        result[name + "_metrics"] = np.array(values)
        inner = net.model.inner
        result[name + "_head"] = inner.lm_head.weight
        result[name + "_mlp"] = inner.L_level.layers[0].mlp.down_proj.weight
        result[name + "_ema"] = ema.state_dict()["model.inner.lm_head.weight"]
        if config.arch.puzzle_emb_ndim > 0:
            result[name + "_puzzles"] = net.model.puzzle_emb.weights
        averaged = ema.ema_copy(net).eval()
        result[name + "_averaged"] = evaluated(averaged)
        state.model = averaged
        tested = DataLoader(dataset("test", True), batch_size=None)
        scores = pretrain.evaluate(config, state, tested, tested.dataset.metadata, [], 0, 1, None)["all"]
        result[name + "_scores"] = np.array([scores[key] for key in sorted(scores)])
    return result
