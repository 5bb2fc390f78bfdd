import copy
import os
import pickle
import tempfile
import types
import unittest.mock

import numpy as np
import torch

import models
from datasets import data_transform, get_dataset, inverse_data_transform
from losses import get_optimizer
from losses.dsm import anneal_dsm_score_estimation
from models.ema import EMAHelper
from models.ncsn import NCSN
from models.ncsnv2 import NCSNv2
from models.normalization import ConditionalInstanceNorm2dPlus, InstanceNorm2dPlus
from runners import ncsn_runner


def space(**given):
    return types.SimpleNamespace(**given)


def settings(**given):
    config = space(
        data=space(
            dataset="CIFAR10", image_size=16, channels=3, logit_transform=False, uniform_dequantization=False,
            gaussian_dequantization=False, random_flip=False, rescaled=False, num_workers=0,
        ),
        model=space(
            sigma_begin=4, sigma_end=0.2, num_classes=5, ema=True, ema_rate=0.9, spec_norm=False,
            sigma_dist="geometric", normalization="InstanceNorm++", nonlinearity="elu", ngf=8,
        ),
        optim=space(weight_decay=0.0, optimizer="Adam", lr=1e-4, beta1=0.9, amsgrad=False, eps=1e-6),
        training=space(
            batch_size=4, n_epochs=3, n_iters=5, snapshot_freq=2, snapshot_sampling=True, anneal_power=2,
            log_all_sigmas=True,
        ),
        sampling=space(
            batch_size=4, data_init=True, step_lr=0.0004, n_steps_each=2, ckpt_id=4, final_only=True, fid=False,
            denoise=True, inpainting=False, interpolation=False, n_interpolations=3,
        ),
        test=space(begin_ckpt=4, end_ckpt=4, batch_size=3),
        device=torch.device("cpu"),
    )  # fmt: skip
    for name, value in given.items():
        setattr(config.model, name, value)
    return config


def build():
    return (
        NCSNv2(settings()),
        NCSN(settings(nonlinearity="swish")),
        NCSNv2(settings(normalization="VarianceNorm", sigma_dist="uniform", nonlinearity="lrelu")),
    )


def init():
    torch.manual_seed(1)
    net, conditional = NCSNv2(settings()), NCSN(settings())
    return {
        "begin": net.begin_conv.weight,
        "alpha": InstanceNorm2dPlus(2000).alpha,
        "beta": net.normalizer.beta,
        "embedded": ConditionalInstanceNorm2dPlus(40, 50).embed.weight[:, :100],
        "bias": conditional.normalizer.embed.weight[:, 16:],
        "refined": net.refine2.msf.convs[0].weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def pictures(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def forward(net, conditional, plain):
    for one in (net, conditional, plain):
        one.eval()
    config, labels = settings(), torch.tensor([3, 0])
    sigmas = models.get_sigmas(config)

    def moved():
        helper = EMAHelper(mu=0.75)
        helper.register(net)
        other = copy.deepcopy(net)
        with torch.no_grad():
            for one in other.parameters():
                one.add_(0.01)
        helper.update(other)
        return helper.ema_copy(net).end_conv.weight

    def transformed(**given):
        for name, value in given.items():
            setattr(config.data, name, value)
        seen = data_transform(config, pictures(3, 2, 3, 4, 4))
        return [seen, inverse_data_transform(config, seen)]

    def painted():
        return models.anneal_Langevin_dynamics_inpainting(
            pictures(4, 1, 1, 3, 16, 16), pictures(5, 1, 3, 16, 16), net, sigmas.numpy()[:2], 16, 1, 1e-3
        )[-1]

    with torch.no_grad():
        return {
            "scores": lambda: net(pictures(1, 2, 3, 16, 16), labels),
            "conditional": lambda: conditional(pictures(1, 2, 3, 16, 16), labels),
            "plain": lambda: plain(pictures(2, 2, 3, 16, 16), labels),
            "sigmas": lambda: sigmas,
            "dsm": lambda: anneal_dsm_score_estimation(net, pictures(1, 2, 3, 16, 16), sigmas, labels),
            "moved": moved,
            "logits": lambda: transformed(logit_transform=True),
            "rescaled": lambda: transformed(logit_transform=False, rescaled=True),
            "painted": painted,
            "between": lambda: models.anneal_Langevin_dynamics_interpolation(
                pictures(6, 2, 3, 16, 16), net, sigmas.numpy()[:2], 2, 1, 1e-3, final_only=True
            )[0].shape,
        }


def written(folder, rows):
    """The files of CIFAR-10."""
    os.makedirs(f"{folder}/cifar-10-batches-py")
    names = [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch", "batches.meta"]
    for seed, name in enumerate(names):
        draw = np.random.RandomState(seed)
        count = 3 * rows if name == "test_batch" else rows
        batch = {"data": draw.randint(0, 255, (count, 3072)).astype("uint8"), "labels": list(draw.randint(0, 10, count))}
        batch["label_names"] = ["plane", "car"]
        with open(f"{folder}/cifar-10-batches-py/{name}", "wb") as file:
            pickle.dump(batch, file, protocol=2)


class Right(str):
    """Whatever the files hold is what was meant."""

    def __eq__(self, other):
        return True


class Board:
    """Stands for the writer of TensorBoard."""

    def __init__(self):
        self.values = []

    def add_scalar(self, name, value, global_step):
        self.values.append(float(value))


def train(net, conditional, plain):
    results, board, config = {}, Board(), settings()
    config.tb_logger = board
    md5 = types.SimpleNamespace(update=len, hexdigest=Right)
    ncsn_runner.get_model = lambda config: net
    with tempfile.TemporaryDirectory() as here, unittest.mock.patch("hashlib.md5", lambda *given, **named: md5):
        arguments = space(log_path=f"{here}/logs", exp=here, image_folder=f"{here}/images", resume_training=False)
        os.makedirs(arguments.image_folder)
        written(f"{here}/datasets/cifar10", 2)
        written(f"{here}/datasets/cifar10_test", 2)
        runner = ncsn_runner.NCSNRunner(arguments, config)
        runner.train()
        results["losses"], results["trained"] = list(board.values), net.begin_conv.weight.detach().clone()
        kept = torch.load(f"{here}/logs/checkpoint.pth", weights_only=False)
        results["kept"] = [kept[2], kept[3], len(kept)]
        results["shadow"] = kept[4]["end_conv.weight"]
        results["moment"] = kept[1]["state"][0]["exp_avg"]
        results["drawn"] = len(os.listdir(f"{here}/logs/samples"))
        runner.sample()
        results["sampled"] = torch.load(f"{here}/images/samples_4.pth", weights_only=False)
        runner.test()
        arguments.resume_training, config.training.n_iters = True, 6
        ncsn_runner.NCSNRunner(arguments, config).train()
        results["resumed"] = board.values[-2:]
    config.optim.optimizer = "RMSProp"
    for name, one in (("conditional", conditional), ("plain", plain)):
        optimizer, losses = get_optimizer(config, one.parameters()), []
        sigmas = models.get_sigmas(config)
        one.train()
        for step in range(3):
            loss = anneal_dsm_score_estimation(one, pictures(30 + step, 3, 3, 16, 16), sigmas)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        results[name] = losses
        config.optim.optimizer = "SGD"
        config.optim.lr = 1e-5
    return {
        **results,
        "begin": net.begin_conv.weight,
        "alpha": net.res2[0].normalize1.alpha,
        "refined": net.refine4.msf.convs[1].weight,
        "embedded": conditional.normalizer.embed.weight,
        "deep": plain.res3[0].conv1.weight,
    }
