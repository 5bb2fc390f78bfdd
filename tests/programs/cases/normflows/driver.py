import os
import tempfile

import normflows as nf
import numpy as np
import torch


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


class Fixed(nf.distributions.DiagGaussian):
    """The repository's Gaussian, with noise that is not drawn."""

    def forward(self, num_samples=1, context=None):
        eps = torch.sin(7.0 * torch.arange(num_samples * 2)).view(num_samples, 2)
        z = self.loc + torch.exp(self.log_scale) * eps
        return z, self.log_prob(z)


def splines():
    """A neural spline flow, as in examples/neural_spline_flow.ipynb and circular_nsf.ipynb."""
    flows = []
    for _ in range(2):
        flows += [nf.flows.AutoregressiveRationalQuadraticSpline(2, 1, 8)]
        flows += [nf.flows.CoupledRationalQuadraticSpline(2, 1, 8, num_bins=5, reverse_mask=True)]
        flows += [nf.flows.LULinearPermute(2)]
    bound = torch.tensor([3.0, np.pi])
    flows += [nf.flows.CircularAutoregressiveRationalQuadraticSpline(2, 1, 8, [1], tail_bound=bound, permute_mask=False)]
    flows += [nf.flows.CircularCoupledRationalQuadraticSpline(2, 1, 8, [1], tail_bound=bound)]
    flows += [nf.flows.PeriodicShift([1], bound=np.pi, shift=0.7)]
    return nf.NormalizingFlow(nf.distributions.DiagGaussian(2, trainable=False), flows)


def real_nvp():
    b = torch.Tensor([1 if i % 2 == 0 else 0 for i in range(2)])
    flows = []
    for i in range(4):
        s, t = nf.nets.MLP([2, 8, 2], init_zeros=True), nf.nets.MLP([2, 8, 2], init_zeros=True)
        flows += [nf.flows.MaskedAffineFlow(b if i % 2 == 0 else 1 - b, t, s), nf.flows.ActNorm(2)]
    return nf.NormalizingFlow(Fixed(2), flows, nf.distributions.TwoMoons())


def glow(classes=3, levels=2, steps=2, shape=(3, 8, 8)):
    """examples/glow.ipynb in small."""
    q0, merges, flows = [], [], []
    for i in range(levels):
        flows_ = []
        for j in range(steps):
            mode = "channel" if j else "checkerboard"
            flows_ += [nf.flows.GlowBlock(shape[0] * 2 ** (levels + 1 - i), 8, split_mode=mode, scale=True, use_lu=j > 0)]
        flows_ += [nf.flows.Squeeze()]
        flows += [flows_]
        if i > 0:
            merges += [nf.flows.Merge()]
            latent = (shape[0] * 2 ** (levels - i), shape[1] // 2 ** (levels - i), shape[2] // 2 ** (levels - i))
        else:
            latent = (shape[0] * 2 ** (levels + 1), shape[1] // 2**levels, shape[2] // 2**levels)
        q0 += [nf.distributions.ClassCondDiagGaussian(latent, classes) if i else nf.distributions.GlowBase(latent, classes)]
    return nf.MultiscaleFlow(q0, flows, merges, nf.transforms.Logit(0.05))


def planar():
    """Planar and radial flows for a target, as in examples/planar.ipynb, with a step of Hamiltonian Monte Carlo."""
    target = nf.distributions.CircularGaussianMixture(4)
    flows = []
    for _ in range(3):
        flows += [nf.flows.Planar((2,)), nf.flows.Radial((2,))]
    flows += [nf.flows.Planar((2,), act="leaky_relu")]
    flows += [nf.flows.HamiltonianMonteCarlo(target, 2, torch.log(torch.tensor([0.1, 0.2])), torch.zeros(2), max_abs_grad=5.0)]
    return nf.NormalizingFlow(Fixed(2), flows, target)


def conditional():
    flows = []
    for _ in range(2):
        flows += [nf.flows.MaskedAffineAutoregressive(2, 8, context_features=3, num_blocks=2)]
        flows += [nf.flows.AutoregressiveRationalQuadraticSpline(2, 1, 8, num_context_channels=3)]
        flows += [nf.flows.InvertibleAffine(2)]
    return nf.ConditionalNormalizingFlow(nf.distributions.DiagGaussian(2, trainable=False), flows)


def build():
    return splines(), real_nvp(), glow(), planar(), conditional()


def init():
    torch.manual_seed(1)
    net = nf.flows.AutoregressiveRationalQuadraticSpline(8, 2, 32)
    lipschitz = nf.nets.LipschitzMLP([8, 32, 8], init_zeros=False)
    return {
        "initial": net.mprqat.autoregressive_net.initial_layer.weight,
        "block": net.mprqat.autoregressive_net.blocks[0].linear_layers[0].weight,
        "conv": nf.flows.Invertible1x1Conv(16, True).L,
        "planar": nf.flows.Planar((50,)).w,
        "lipschitz": lipschitz.net[1].weight,
        "glow": glow().flows[0][1].flows[0].flows[1].param_map.net[0].weight,
    }


def walk(net, seed):
    """One Metropolis-Hastings walk of the repository."""
    proposal = nf.distributions.DiagGaussianProposal((2,), 0.3)
    z, log_det = nf.flows.MetropolisHastings(net.p, proposal, 3)(array(seed, 6, 2))
    return [z, log_det]


def annealed():
    """Hamiltonian annealed importance sampling."""
    hais = nf.sampling.HAIS(torch.linspace(1, 0, 5), Fixed(2), nf.distributions.TwoMoons(), 2, torch.tensor(0.2) * torch.ones(2), torch.zeros(2))
    return list(hais.sample(6))


def forward(nsf, nvp, images, flat, cond):
    for one in (nsf, nvp, images, flat, cond):
        one.eval()
    x, y = torch.sigmoid(array(3, 4, 3, 8, 8)), torch.tensor([0, 2, 1, 2])
    return {
        "spline": lambda: nsf.log_prob(array(0, 7, 2)),
        "tails": lambda: nsf.log_prob(4 * array(1, 7, 2)),
        "spline_sample": lambda: nsf.forward_and_log_det(array(2, 5, 2)),
        "nvp": lambda: nvp.log_prob(array(4, 7, 2)),
        "nvp_sample": lambda: nvp.sample(5),
        "glow": lambda: images.log_prob(x, y),
        "glow_latent": lambda: images.inverse_and_log_det(x)[0],
        "glow_back": lambda: images.forward_and_log_det([array(5, 2, 24, 2, 2), array(6, 2, 6, 4, 4)]),
        "planar": lambda: flat.sample(5),
        "alpha": lambda: flat.reverse_alpha_div(6, 0.5),
        "walk": lambda: walk(nvp, 7),
        "annealed": annealed,
        "cond": lambda: cond.log_prob(array(8, 5, 2), array(9, 5, 3)),
        "cond_sample": lambda: cond.forward_and_log_det(array(10, 5, 2), array(11, 5, 3)),
        "bits": lambda: nf.utils.bitsPerDim(images, x, y, trans="logit", trans_param=[0.05]),
        "mask": lambda: nf.utils.masks.create_alternating_binary_mask(5),
        "count": lambda: [sum(p.numel() for p in one.parameters()) for one in (nsf, nvp, images, flat, cond)],
    }


def train(nsf, nvp, images, flat, cond):
    results = {}
    optimizer = torch.optim.Adam(nsf.parameters(), lr=1e-3, weight_decay=1e-5)
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = nsf.forward_kld(array(20 + step, 8, 2))
        if ~(torch.isnan(loss) | torch.isinf(loss)):
            loss.backward()
            optimizer.step()
        losses.append(loss.to("cpu").data.numpy())
    results["spline_losses"] = np.array(losses)

    losses = []
    optimizer = torch.optim.Adam(nvp.parameters(), lr=5e-4, weight_decay=1e-5)
    for step in range(3):
        optimizer.zero_grad()
        loss = nvp.reverse_kld(8, beta=0.5, score_fn=step != 1)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    results["nvp_losses"] = losses

    losses = []
    optimizer = torch.optim.Adamax(images.parameters(), lr=1e-3, weight_decay=1e-5)
    for step in range(3):
        x, y = torch.sigmoid(array(40 + step, 4, 3, 8, 8)), torch.tensor([0, 2, 1, step])
        optimizer.zero_grad()
        loss = images.forward_kld(x, y)
        if ~(torch.isnan(loss) | torch.isinf(loss)):
            loss.backward()
            optimizer.step()
        losses.append(loss.item())
        nf.utils.clear_grad(images)
    results["glow_losses"] = losses

    losses = []
    optimizer = torch.optim.RMSprop(flat.parameters(), lr=1e-3, momentum=0.9)
    for step in range(3):
        optimizer.zero_grad()
        if step == 1:
            loss = flat.reverse_alpha_div(8, alpha=0.5)
        else:
            loss = flat.reverse_kld(8)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    results["planar_losses"] = losses

    losses = []
    optimizer = torch.optim.Adam(cond.parameters(), lr=1e-3)
    for step in range(3):
        optimizer.zero_grad()
        loss = cond.forward_kld(array(60 + step, 8, 2), array(70 + step, 8, 3))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    results["cond_losses"] = losses

    with tempfile.TemporaryDirectory() as here:
        nvp.save(os.path.join(here, "model.pth"))
        again = real_nvp()
        again.load(os.path.join(here, "model.pth"))
    return {
        **results,
        "again": again.log_prob(array(80, 5, 2)),
        "widths": nsf.flows[1].prqct.unconditional_transform.unnormalized_widths,
        "made": nsf.flows[0].mprqat.autoregressive_net.final_layer.bias,
        "lower": nsf.flows[2].linear.lower_entries,
        "actnorm": nvp.flows[1].s,
        "scale": nvp.flows[0].s.net[0].weight,
        "conv": images.flows[0][1].flows[1].L,
        "whole": images.flows[1][0].flows[1].W,
        "logs": images.q0[0].loc_logs,
        "classes": images.q0[1].loc,
        "u": flat.flows[0].u,
        "z_0": flat.flows[1].z_0,
        "mass": flat.flows[-1].log_mass,
        "affine": cond.flows[2].U,
        "context": cond.flows[0].autoregressive_net.context_layer.weight,
    }
