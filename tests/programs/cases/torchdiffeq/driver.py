import os
import sys

import numpy as np
import torch
from torch import nn

sys.argv = sys.argv[:1]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples"))

from latent_ode import (  # noqa: E402
    Decoder,
    LatentODEfunc,
    RecognitionRNN,
    generate_spiral2d,
    log_normal_pdf,
    normal_kl,
)
from odenet_mnist import ODEBlock, ODEfunc, ResBlock, conv1x1, norm  # noqa: E402
from torchdiffeq import odeint, odeint_adjoint, odeint_dense, odeint_event  # noqa: E402

ADAPTIVE = ("dopri5", "bosh3", "fehlberg2", "adaptive_heun", "dopri8", "tsit5")
FIXED = ("euler", "midpoint", "heun2", "heun3", "rk4", "explicit_adams", "implicit_adams")


class Spiral(nn.Module):
    """As in ode_demo.py."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 2))

    def forward(self, t, y):
        return self.net(y**3) * torch.cos(t)


class Falling(nn.Module):
    """As in bouncing_ball.py: a ball that falls and bounces."""

    def __init__(self):
        super().__init__()
        self.gravity = nn.Parameter(torch.as_tensor([9.8]))
        self.log_radius = nn.Parameter(torch.log(torch.as_tensor([0.3])))
        self.absorption = nn.Parameter(torch.as_tensor([0.2]))

    def forward(self, t, state):
        pos, vel, log_radius = state
        return vel, -self.gravity * torch.ones_like(pos), torch.zeros_like(log_radius)

    def event_fn(self, t, state):
        pos, _, log_radius = state
        return pos - torch.exp(log_radius)

    def bounce(self, solve, times=2):
        t0 = torch.tensor([0.0])
        state = (torch.tensor([3.0]), torch.tensor([0.0]), self.log_radius)
        event_times = []
        for _ in range(times):
            event_t, solution = odeint_event(
                self, state, t0, event_fn=self.event_fn, odeint_interface=solve, atol=1e-6, rtol=1e-6
            )
            event_times.append(event_t)
            pos, vel, log_radius = tuple(s[-1] for s in solution)
            state = (pos + 1e-4, -vel * (1 - self.absorption), log_radius)
            t0 = event_t
        return torch.stack([one.reshape(()) for one in event_times])


def build():
    dim = 4
    classifier = nn.Sequential(
        nn.Conv2d(1, dim, 3, 1), norm(dim), nn.ReLU(inplace=True),
        ResBlock(dim, dim, stride=2, downsample=conv1x1(dim, dim, 2)),
        ODEBlock(ODEfunc(dim)),
        norm(dim), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1)), nn.Flatten(), nn.Linear(dim, 3),
    )  # fmt: skip
    return (
        Spiral(), Falling(), classifier,
        LatentODEfunc(4, 12), RecognitionRNN(4, 2, 10, 5), Decoder(4, 2, 12),
    )  # fmt: skip


def forward(spiral, falling, classifier, *latent):
    y0 = torch.tensor([[2.0, 0.3], [-1.0, 0.7]])
    t = torch.linspace(0.0, 1.2, 5)
    outputs = {}
    with torch.no_grad():
        for method in ADAPTIVE:
            outputs[method] = lambda method=method: odeint(spiral, y0, t, rtol=1e-4, atol=1e-5, method=method)
        for method in FIXED:
            outputs[method] = lambda method=method: odeint(
                spiral, y0, t, method=method, options={"step_size": 0.1}
            )
        outputs["backwards"] = lambda: odeint(spiral, y0, t.flip(0), rtol=1e-4, atol=1e-5)
        outputs["perturbed"] = lambda: odeint(
            spiral, y0, t, method="rk4", options={"step_size": 0.25, "interp": "cubic", "perturb": True}
        )
        outputs["jumps"] = lambda: odeint(
            spiral, y0, t, rtol=1e-4, atol=1e-5, method="dopri5",
            options={"jump_t": torch.tensor([0.5]), "max_num_steps": 500},
        )  # fmt: skip
        outputs["implicit"] = lambda: odeint(
            spiral, y0, t, method="implicit_euler", options={"step_size": 0.2, "max_iters": 20}
        )
        outputs["dense"] = lambda: torch.stack(
            [odeint_dense(spiral, y0, t[0], t[-1], rtol=1e-4, atol=1e-5)(one) for one in t[1:-1]]
        )
        outputs["tuple"] = lambda: torch.cat(
            [
                part.reshape(-1)
                for part in odeint(
                    lambda s, state: (spiral(s, state[0]), -state[1]),
                    (y0, torch.ones(3)),
                    t,
                    rtol=1e-4,
                    atol=1e-5,
                )
            ]
        )
        outputs["bounces"] = lambda: falling.bounce(odeint)
        images = torch.from_numpy(np.random.RandomState(0).randn(3, 1, 10, 10).astype(np.float32))
        outputs["classes"] = lambda: classifier(images)
    return outputs


def fit_spiral(spiral):
    optimizer = torch.optim.RMSprop(spiral.parameters(), lr=1e-3)
    true = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    t = torch.linspace(0.0, 1.0, 6)
    losses = []
    for step in range(4):
        rng = np.random.RandomState(step)
        y0 = torch.from_numpy(rng.uniform(-1, 1, (4, 2)).astype(np.float32))
        with torch.no_grad():
            wanted = odeint(lambda s, y: y**3 @ true, y0, t, rtol=1e-5, atol=1e-6)
        optimizer.zero_grad()
        solve = odeint_adjoint if step % 2 else odeint
        found = solve(spiral, y0, t, rtol=1e-4, atol=1e-5)
        loss = torch.mean(torch.abs(found - wanted))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def fit_ball(falling):
    optimizer = torch.optim.SGD([falling.gravity, falling.log_radius, falling.absorption], lr=1e-2)
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        times = falling.bounce(odeint_adjoint if step == 1 else odeint)
        loss = ((times - torch.tensor([0.6, 1.5])) ** 2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def fit_classifier(model):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    block, losses, evaluations = model[4], [], []
    for step in range(3):
        rng = np.random.RandomState(step)
        x = torch.from_numpy(rng.randn(6, 1, 10, 10).astype(np.float32))
        y = torch.from_numpy(rng.randint(0, 3, 6))
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        evaluations.append(block.nfe)
        block.nfe = 0
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, evaluations


def fit_latent(func, rec, dec):
    """The loop of latent_ode.py, with noise that is made up."""
    np.random.seed(1)
    _, samples, _, times = generate_spiral2d(
        nspiral=5, start=0.0, stop=6 * np.pi, ntotal=100, nsample=8, noise_std=0.3, savefig=False
    )
    samp_trajs = torch.from_numpy(samples).float()
    samp_ts = torch.from_numpy(times).float()
    optimizer = torch.optim.Adam(
        list(func.parameters()) + list(dec.parameters()) + list(rec.parameters()), lr=0.01
    )
    losses = []
    for itr in range(3):
        optimizer.zero_grad()
        h = rec.initHidden()
        for t in reversed(range(samp_trajs.size(1))):
            out, h = rec.forward(samp_trajs[:, t, :], h)
        qz0_mean, qz0_logvar = out[:, :4], out[:, 4:]
        epsilon = torch.from_numpy(np.random.randn(*qz0_mean.size())).float()
        z0 = epsilon * torch.exp(0.5 * qz0_logvar) + qz0_mean
        pred_z = odeint(func, z0, samp_ts, rtol=1e-4, atol=1e-5).permute(1, 0, 2)
        pred_x = dec(pred_z)
        noise_std_ = torch.zeros(pred_x.size()) + 0.3
        logpx = log_normal_pdf(samp_trajs, pred_x, 2.0 * torch.log(noise_std_)).sum(-1).sum(-1)
        zeros = torch.zeros(z0.size())
        analytic_kl = normal_kl(qz0_mean, qz0_logvar, zeros, zeros).sum(-1)
        loss = torch.mean(-logpx + analytic_kl, dim=0)
        loss.backward()
        optimizer.step()
        losses.append(-loss.item())
    return losses


def train(spiral, falling, classifier, func, rec, dec):
    results = {"spiral": fit_spiral(spiral), "ball": fit_ball(falling)}
    results["classifier"], evaluations = fit_classifier(classifier)
    results["evaluations"] = np.array(evaluations)
    results["latent"] = fit_latent(func, rec, dec)
    results["spiral_weight"] = spiral.net[0].weight
    results["gravity"] = falling.gravity
    results["conv"] = classifier[4].odefunc.conv1._layer.weight
    results["fc2"] = func.fc2.weight
    results["i2h"] = rec.i2h.weight
    return results
