import os
import pickle
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

arguments = sys.argv
sys.argv = (
    "main.py --dataset_code ml-1m --min_rating 0 --train_batch_size 4 --val_batch_size 3 --test_batch_size 3 "
    "--train_negative_sample_size 0 --train_negative_sampling_seed 0 --test_negative_sample_size 13 "
    "--test_negative_sampling_seed 98765 --num_epochs 2 --log_period_as_iter 8 --metric_ks 1 5 14 --best_metric NDCG@14 "
    "--lr 0.01 --model_init_seed 0 --bert_max_len 10 --bert_hidden_units 12 --bert_num_blocks 2 --bert_num_heads 3 "
    "--bert_dropout 0.0 --bert_mask_prob 0.4 --dae_num_hidden 1 --dae_hidden_dim 14 --dae_latent_dim 5 --dae_dropout 0.0 "
    "--vae_num_hidden 1 --vae_hidden_dim 14 --vae_latent_dim 5 --vae_dropout 0.0 --total_anneal_steps 5 --device cpu"
).split()
from options import args

sys.argv = arguments
args.enable_lr_schedule = True
args.decay_step = 1

import datasets.base
from dataloaders import dataloader_factory
from models import model_factory
from trainers import trainer_factory
from trainers.utils import ndcg, recall
from utils import create_optimizer, setup_train

ITEMS, USERS = 36, 14
loaders = {}
# The loaders look for data in the folder that this names.
datasets.base.RAW_DATASET_ROOT_FOLDER = tempfile.mkdtemp()


def configured(code):
    is_bert = code == "bert"
    args.model_code = args.trainer_code = code
    args.dataloader_code = "bert" if is_bert else "ae"
    args.split = "leave_one_out" if is_bert else "holdout"
    args.optimizer, args.momentum = ("SGD", 0.9) if code == "dae" else ("Adam", None)
    args.find_best_beta = code == "vae"
    return args


def write_data(split):
    rng = np.random.RandomState(3)
    seen = {user: rng.permutation(20)[: 8 + user % 5] + 1 for user in range(USERS)}
    lists = {user: [int(item) for item in items] for user, items in seen.items()}
    if split == "leave_one_out":
        train, val, test = ({user: cut(items) for user, items in lists.items()} for cut in (
            lambda items: items[:-2], lambda items: items[-2:-1], lambda items: items[-1:]
        ))  # fmt: skip
    else:
        train, val, test = ({user: lists[user] for user in users} for users in (range(8), range(8, 11), range(11, 14)))
    folder = datasets.base.AbstractDataset._get_preprocessed_folder_path(datasets.DATASETS["ml-1m"](args))
    folder.mkdir(parents=True, exist_ok=True)
    smap = {item: item for item in range(1, ITEMS + 1)}
    with (Path(folder) / "dataset.pkl").open("wb") as file:
        pickle.dump({"train": train, "val": val, "test": test, "umap": {u: u for u in lists}, "smap": smap}, file)


def prepared(code):
    configured(code)
    write_data(args.split)
    np.random.seed(1)
    return dataloader_factory(args)


def build():
    nets = []
    for code in ("bert", "dae", "vae"):
        loaders[code] = prepared(code)
        nets.append(model_factory(args))
    return tuple(nets)


def init():
    prepared("vae")
    torch.manual_seed(2)
    net = model_factory(args)
    return {"encoder": net.encoder[0].weight, "decoder": net.decoder[0].weight}


def forward(bert, dae, vae):
    outputs = {}
    for name, net in (("bert", bert), ("dae", dae), ("vae", vae)):
        net.eval()
        batch = next(iter(loaders[name][1]))
        outputs[name] = net(batch[0])
        outputs[name + "_data"] = batch[-1]
    scores = torch.from_numpy(np.random.RandomState(3).rand(4, 9).astype("float32"))
    labels = torch.from_numpy((np.random.RandomState(4).rand(4, 9) < 0.4).astype("int64"))
    labels[:, 0] = 1
    outputs["recall"] = lambda: recall(scores, labels, 3)
    outputs["ndcg"] = lambda: ndcg(scores, labels, 3)
    outputs["user"] = lambda: loaders["dae"][0].dataset[2]
    return outputs


def train(bert, dae, vae):
    results = {}
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, net in (("bert", bert), ("dae", dae), ("vae", vae)):
                train_loader, val_loader, test_loader = prepared(name)
                export_root = setup_train(args)
                os.makedirs(os.path.join(export_root, "logs"))
                trainer = trainer_factory(args, net, train_loader, val_loader, test_loader, export_root)
                trainer.train()
                trainer.test()
                with open(os.path.join(export_root, "logs", "test_metrics.json")) as file:
                    results[name + "_metrics"] = np.array([float(part) for part in file.read().replace(",", " ").split() if part[0].isdigit()])
                results[name] = [trainer.calculate_loss(list(batch)) for batch in train_loader]
                results[name + "_lr"] = trainer.optimizer.param_groups[0]["lr"]
        finally:
            os.chdir(here)
    results["group"] = len(create_optimizer(dae, args).param_groups)
    results["token"] = bert.bert.embedding.token.weight
    results["norm"] = bert.bert.transformer_blocks[0].input_sublayer.norm.a_2
    results["out"] = bert.out.weight
    results["encoder"] = dae.encoder[0].weight
    results["decoder"] = vae.decoder[-1].weight
    return results
