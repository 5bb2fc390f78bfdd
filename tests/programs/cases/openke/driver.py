import os
import tempfile

import numpy as np
import torch

from openke.config import Trainer
from openke.module.loss import MarginLoss, SigmoidLoss, SoftplusLoss
from openke.module.model import ComplEx, DistMult, RESCAL, RotatE, SimplE, TransD, TransE, TransH, TransR
from openke.module.strategy import NegativeSampling

ENTITIES, RELATIONS, BATCH, WRONG = 20, 4, 5, 3


def graphs():
    """Each model with the loss of its script in examples/."""
    count = {"ent_tot": ENTITIES, "rel_tot": RELATIONS}
    return {
        "transe": (TransE(dim=8, p_norm=1, norm_flag=False, margin=6.0, **count), SigmoidLoss(adv_temperature=1), 0.0),
        "transe_margin": (TransE(dim=8, p_norm=1, norm_flag=True, **count), MarginLoss(margin=5.0), 0.0),
        "rotate": (RotatE(dim=8, margin=6.0, epsilon=2.0, **count), SigmoidLoss(adv_temperature=2), 0.0),
        "transd": (TransD(dim_e=8, dim_r=6, p_norm=1, norm_flag=True, **count), MarginLoss(margin=4.0), 0.0),
        "transh": (TransH(dim=8, p_norm=1, norm_flag=True, **count), MarginLoss(margin=4.0), 0.0),
        "transr": (TransR(dim_e=8, dim_r=6, p_norm=1, norm_flag=True, rand_init=False, **count), MarginLoss(margin=4.0), 0.0),
        "complex": (ComplEx(dim=8, **count), SoftplusLoss(), 1.0),
        "distmult": (DistMult(dim=8, margin=2.0, epsilon=1.0, **count), SigmoidLoss(adv_temperature=0.5), 0.1),
        "simple": (SimplE(dim=8, **count), SoftplusLoss(), 1.0),
        "rescal": (RESCAL(dim=6, **count), MarginLoss(adv_temperature=1.5, margin=1.0), 0.0),
    }


CROSS = ("transe", "rotate", "distmult")


def build():
    return tuple(
        NegativeSampling(model=model, loss=loss, batch_size=BATCH, regul_rate=rate) for model, loss, rate in graphs().values()
    )


def batch(seed, mode="normal"):
    """Facts, and wrong ones behind them, as the loader of the repository gives them."""
    random = np.random.RandomState(seed)
    long = BATCH * (1 + WRONG)
    sizes = {"normal": (long, long, long), "head_batch": (long, BATCH, BATCH), "tail_batch": (BATCH, long, BATCH)}[mode]
    return {
        "batch_h": random.randint(0, ENTITIES, sizes[0]).astype("int64"),
        "batch_t": random.randint(0, ENTITIES, sizes[1]).astype("int64"),
        "batch_r": random.randint(0, RELATIONS, sizes[2]).astype("int64"),
        "batch_y": np.concatenate([np.ones(BATCH), -np.ones(long - BATCH)]).astype("float32"),
        "mode": mode,
    }


def facts(name):
    return [batch(1), batch(2, "head_batch"), batch(3, "tail_batch")] if name in CROSS else [batch(1), batch(2), batch(3)]


def forward(*nets):
    outputs = {}
    for (name, _), net in zip(graphs().items(), nets):
        net.eval()
        given = facts(name)[1]
        data = {key: value if key == "mode" else torch.from_numpy(value) for key, value in given.items()}
        outputs[name] = net.model(data)
        outputs[name + "_predicted"] = net.model.predict(data)
        outputs[name + "_regularization"] = lambda net=net, data=data: net.model.regularization(data)
        outputs[name + "_loss"] = lambda net=net, data=data: net(data)
    return outputs


def train(*nets):
    result = {}
    methods = ["adam", "sgd", "adagrad", "adadelta"]
    for place, (name, net) in enumerate(zip(graphs(), nets)):
        losses = []

        def kept(data, trainer):
            losses.append(trainer.train_one_step(data))

        trainer = Trainer(
            model=net, data_loader=facts(name), train_times=2, alpha=0.02, use_gpu=False, opt_method=methods[place % 4]
        )
        trainer.run()
        kept(batch(9), trainer)
        result[name + "_losses"] = losses
        result.update((name + "_" + key, value) for key, value in net.model.named_parameters() if "embeddings" in key)
    path = os.path.join(tempfile.mkdtemp(), "transe.ckpt")
    nets[0].model.save_checkpoint(path)
    other = build()[0].model
    other.load_checkpoint(path)
    result["loaded"] = other.get_parameters()["ent_embeddings.weight"]
    return result


def init():
    made = graphs()
    return {
        "transe": made["transe_margin"][0].ent_embeddings.weight,
        "rotate": made["rotate"][0].rel_embeddings.weight,
        "transr": made["transr"][0].transfer_matrix.weight,
    }
