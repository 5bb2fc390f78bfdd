import argparse

import numpy as np
import torch
import torch.nn as nn

from losses.dsm import anneal_dsm_score_estimation, dsm_score_estimation
from losses.sliced_sm import partial_sliced_score_matching, single_sliced_score_matching
from main import dict2namespace
from models.cond_refinenet_dilated import CondRefineNetDilated, ConditionalInstanceNorm2dPlus
from models.gmm import GMM, GaussianDist, GMMDist, GMMDistAnneal, Square
from models.refinenet_dilated_baseline import RefineNetDilated
from models.scorenet import ResScore
from runners import AnnealRunner, ToyRunner

config = dict2namespace(
    {
        "training": {"batch_size": 4, "n_epochs": 2, "n_iters": 4, "algo": "dsm", "anneal_power": 2.0},
        "data": {"dataset": "MNIST", "image_size": 28, "channels": 1, "logit_transform": False, "random_flip": False},
        "model": {
            "sigma_begin": 1, "sigma_end": 0.01, "num_classes": 10, "batch_norm": False, "ngf": 4, "nef": 8, "ndf": 8,
        },
        "optim": {"weight_decay": 0.001, "optimizer": "Adam", "lr": 0.001, "beta1": 0.9, "amsgrad": True},
    }
)  # fmt: skip
config.device = torch.device("cpu")
colored = dict2namespace(
    {
        "data": {"image_size": 16, "channels": 3, "logit_transform": True},
        "model": {"num_classes": 3, "batch_norm": False, "ngf": 4},
    }
)
args = argparse.Namespace(run="run", doc="0", log="run/logs/0", resume_training=False)


def energy_net():
    return nn.Sequential(nn.Linear(2, 12), nn.Softplus(), nn.Linear(12, 12), nn.Softplus(), nn.Linear(12, 1))


def build():
    return CondRefineNetDilated(config), RefineNetDilated(colored), ResScore(config), energy_net(), GMM(2)


def init():
    torch.manual_seed(1)
    model = CondRefineNetDilated(argparse.Namespace(**{**vars(config), "model": argparse.Namespace(
        num_classes=10, ngf=16, batch_norm=False)}))  # fmt: skip
    norm = ConditionalInstanceNorm2dPlus(40, 30)
    return {
        "conv": model.res3[0].conv1.weight,
        "norm": norm.embed.weight,
        "scale": norm.embed.weight[:, :80],
    }


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def images(seed, count, channels=1, size=28):
    return torch.from_numpy(np.random.RandomState(seed).rand(count, channels, size, size).astype("float32"))


def sigmas():
    return torch.tensor(
        np.exp(
            np.linspace(
                np.log(config.model.sigma_begin), np.log(config.model.sigma_end), config.model.num_classes
            )
        )
    ).float()


def sampled(score):
    runner = AnnealRunner(args, config)
    steps = runner.anneal_Langevin_dynamics(images(6, 2), score, sigmas().numpy(), 1, 0.0)
    steps += runner.Langevin_dynamics(images(7, 2), score, 2, 0.0)
    return torch.stack(steps[-3:])


def toy_samples():
    """The noise of Langevin dynamics vanishes where no step is made."""
    teacher = GMMDistAnneal(dim=2)
    plain = ToyRunner.langevin_dynamics(teacher.score, numbers(8, 5, 2), lr=0.0, step=2)
    annealed = ToyRunner.anneal_langevin_dynamics(
        teacher.score, numbers(9, 5, 2), np.array([2.0, 1.0]), lr=0.0
    )
    return torch.stack([plain, annealed])


def matched(net, matching):
    loss, grad1, grad2 = matching(net, numbers(10, 5, 2), noise=numbers(11, 5, 2))
    return torch.cat([loss.reshape(1), grad1.reshape(-1), grad2.reshape(-1)])


def fisher(net):
    return ToyRunner(args, config).fisher_information(net, numbers(12, 5, 2), GMMDist(dim=2))


def forward(score, baseline, residual, energy, mixture):
    for net in (score, baseline, residual, energy, mixture):
        net.eval()
    points, labels = numbers(1, 6, 2), torch.tensor([0, 9])
    return {
        "score": lambda: score(images(0, 2), labels),
        "baseline": lambda: baseline(images(2, 2, 3, 16)),
        "residual": lambda: residual(images(3, 2, 3, 16)),
        "mixture": lambda: mixture(points),
        "logit": lambda: AnnealRunner(args, config).logit_transform(images(4, 1)),
        "teacher": lambda: GMMDist(dim=2).log_prob(points),
        "teacher_score": lambda: GMMDistAnneal(dim=2).score(points, sigma=2),
        "square": lambda: Square(range=1.0).log_prob(points),
        "gaussian": lambda: GaussianDist(4, True).log_pdf(numbers(5, 6, 4)),
        "sampled": lambda: sampled(score),
        "toy": lambda: toy_samples(),
        "sliced": lambda: matched(energy, single_sliced_score_matching),
        "partial": lambda: matched(energy, partial_sliced_score_matching),
        "fisher": lambda: fisher(energy),
    }


def dsm(score, samples, noise, labels, used):
    """losses.dsm.anneal_dsm_score_estimation with noise that is made up here."""
    used_sigmas = used[labels].view(samples.shape[0], *([1] * len(samples.shape[1:])))
    perturbed_samples = samples + noise * used_sigmas
    target = -1 / (used_sigmas**2) * (perturbed_samples - samples)
    scores = score(perturbed_samples, labels)
    target = target.view(target.shape[0], -1)
    scores = scores.view(scores.shape[0], -1)
    loss = (
        1 / 2.0 * ((scores - target) ** 2).sum(dim=-1) * used_sigmas.squeeze() ** config.training.anneal_power
    )
    return loss.mean(dim=0)


def ssm(score, samples, vectors):
    """losses.sliced_sm.sliced_score_estimation_vr with vectors that are made up here."""
    dup_samples = samples.unsqueeze(0).expand(1, *samples.shape).contiguous().view(-1, *samples.shape[1:])
    dup_samples.requires_grad_(True)
    grad1 = score(dup_samples)
    gradv = torch.sum(grad1 * vectors)
    grad2 = torch.autograd.grad(gradv, dup_samples, create_graph=True)[0]
    grad1 = grad1.view(dup_samples.shape[0], -1)
    loss1 = torch.sum(grad1 * grad1, dim=-1) / 2.0
    loss2 = torch.sum((vectors * grad2).view(dup_samples.shape[0], -1), dim=-1)
    loss1 = loss1.view(1, -1).mean(dim=0)
    loss2 = loss2.view(1, -1).mean(dim=0)
    loss = loss1 + loss2
    return loss.mean(), loss1.mean(), loss2.mean()


def train(score, baseline, residual, energy, mixture):
    runner = AnnealRunner(args, config)
    used = sigmas().to(config.device)
    data_parallel = torch.nn.DataParallel(score)
    optimizer = runner.get_optimizer(data_parallel.parameters())
    losses, sliced, matching = [], [], []
    for step in range(3):
        data_parallel.train()
        X = images(20 + step, config.training.batch_size)
        X = X / 256.0 * 255.0 + numbers(30 + step, *X.shape) / 256.0
        labels = torch.from_numpy(np.random.RandomState(step).randint(0, len(used), X.shape[0]))
        loss = dsm(data_parallel, X, numbers(40 + step, *X.shape), labels, used)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    optimizer = runner.get_optimizer(residual.parameters())
    scaled_score = lambda x: residual(x)  # noqa: E731
    for step in range(2):
        X = images(50 + step, 2, 3, 8)
        loss, *_ = ssm(scaled_score, X.detach(), numbers(60 + step, *X.shape))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sliced.append(loss.item())
    optimizer = torch.optim.Adam(energy.parameters(), lr=0.01)
    for step in range(3):
        optimizer.zero_grad()
        points = numbers(70 + step, 8, 2)
        loss, *_ = single_sliced_score_matching(energy, points, noise=numbers(80 + step, 8, 2))
        loss.backward()
        optimizer.step()
        matching.append(loss.item())
    optimizer = torch.optim.SGD(mixture.parameters(), lr=0.1)
    for step in range(2):
        optimizer.zero_grad()
        loss = -mixture(numbers(90 + step, 8, 2)).mean()
        loss.backward()
        optimizer.step()
    # What a run itself would call: its noise is not the same twice, so only its kind is looked at.
    drawn = anneal_dsm_score_estimation(score, images(1, 2), torch.tensor([1, 3]), used)
    drawn += dsm_score_estimation(residual, images(2, 2, 3, 8))
    return {
        "losses": losses,
        "sliced": sliced,
        "matching": matching,
        "drawn": np.array(drawn.shape),
        "conv": score.res2[0].conv1.weight,
        "embed": score.normalizer.embed.weight,
        "residual": residual.convs[1].main[0].weight,
        "energy": energy[2].weight,
        "mixture": mixture.log_std,
    }
