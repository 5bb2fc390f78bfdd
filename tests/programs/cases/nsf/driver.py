import numpy as np
import torch
from torch import optim
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_
from torch.utils import data

import data as data_
import nn as nn_
import utils
from nde import distributions, flows, transforms
from optim import CosineAnnealingWarmUpLR

features, num_steps = 4, 2


def create_linear_transform(kind):
    """As experiments/uci.py does it, which runs at once."""
    if kind == "permutation":
        return transforms.ReversePermutation(features=features)
    elif kind == "lu":
        return transforms.CompositeTransform(
            [
                transforms.RandomPermutation(features=features),
                transforms.LULinear(features, identity_init=True),
            ]
        )
    elif kind == "svd":
        return transforms.CompositeTransform(
            [
                transforms.RandomPermutation(features=features),
                transforms.SVDLinear(features, num_householder=4),
            ]
        )
    else:
        raise ValueError


def create_net(in_features, out_features):
    return nn_.ResidualNet(
        in_features=in_features, out_features=out_features, hidden_features=12, context_features=None,
        num_blocks=2, activation=F.relu, dropout_probability=0.0, use_batch_norm=True,
    )  # fmt: skip


def create_base_transform(i, kind):
    mask = utils.create_alternating_binary_mask(features, even=(i % 2 == 0))
    if kind == "affine-coupling":
        return transforms.AffineCouplingTransform(mask=mask, transform_net_create_fn=create_net)
    elif kind == "quadratic-coupling":
        return transforms.PiecewiseQuadraticCouplingTransform(
            mask=mask, transform_net_create_fn=create_net, num_bins=4, tails="linear", tail_bound=3,
            apply_unconditional_transform=True,
        )  # fmt: skip
    elif kind == "rq-coupling":
        return transforms.PiecewiseRationalQuadraticCouplingTransform(
            mask=mask, transform_net_create_fn=create_net, num_bins=4, tails="linear", tail_bound=3,
            apply_unconditional_transform=True,
        )  # fmt: skip
    elif kind == "affine-autoregressive":
        return transforms.MaskedAffineAutoregressiveTransform(
            features=features, hidden_features=12, context_features=None, num_blocks=2, use_residual_blocks=True,
            random_mask=False, activation=F.relu, dropout_probability=0.0, use_batch_norm=False,
        )  # fmt: skip
    elif kind == "rq-autoregressive":
        return transforms.MaskedPiecewiseRationalQuadraticAutoregressiveTransform(
            features=features, hidden_features=12, context_features=None, num_bins=4, tails="linear", tail_bound=3,
            num_blocks=2, use_residual_blocks=True, random_mask=False, activation=F.relu, dropout_probability=0.0,
            use_batch_norm=False,
        )  # fmt: skip
    else:
        raise ValueError


def create_flow(base, linear):
    transform = transforms.CompositeTransform(
        [
            transforms.CompositeTransform([create_linear_transform(linear), create_base_transform(i, base)])
            for i in range(num_steps)
        ]
        + [create_linear_transform(linear)]
    )
    return flows.Flow(transform, distributions.StandardNormal((features,)))


def create_image_flow(c, h, w):
    """As experiments/images.py does it."""
    squeeze_transform = transforms.SqueezeTransform()
    c, h, w = squeeze_transform.get_output_shape(c, h, w)
    step = transforms.CompositeTransform(
        [
            transforms.ActNorm(c),
            transforms.OneByOneConvolution(c),
            transforms.PiecewiseRationalQuadraticCouplingTransform(
                mask=utils.create_mid_split_binary_mask(c),
                transform_net_create_fn=lambda in_channels, out_channels: nn_.ConvResidualNet(
                    in_channels=in_channels, out_channels=out_channels, hidden_channels=6, num_blocks=1
                ),
                tails="linear",
                tail_bound=3.0,
                num_bins=3,
            ),
        ]
    )
    preprocess = transforms.CompositeTransform(
        [
            transforms.AffineScalarTransform(scale=(1.0 / 2**5)),
            transforms.AffineScalarTransform(shift=0.05, scale=(1 - 0.05)),
            transforms.Logit(),
        ]
    )
    reshape = transforms.ReshapeTransform(input_shape=(c, h, w), output_shape=(c * h * w,))
    transform = transforms.CompositeTransform([preprocess, squeeze_transform, step, reshape])
    return flows.Flow(transform, distributions.StandardNormal((c * h * w,)))


def build():
    return (
        create_flow("rq-coupling", "lu"),
        create_flow("rq-autoregressive", "permutation"),
        create_flow("quadratic-coupling", "svd"),
        create_flow("affine-autoregressive", "permutation"),
        create_image_flow(1, 4, 4),
    )


def init():
    torch.manual_seed(1)
    net = nn_.ResidualNet(in_features=30, out_features=40, hidden_features=50, context_features=20)
    lu = transforms.LULinear(40, identity_init=False)
    return {
        "initial": net.initial_layer.weight,
        "second": net.blocks[0].linear_layers[1].weight,
        "lower": lu.lower_entries,
        "householder": transforms.HouseholderSequence(20, 10).q_vectors,
    }


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def images(seed, count):
    values = np.random.RandomState(seed).randint(0, 32, (count, 1, 4, 4)) + 0.5
    return torch.from_numpy(values.astype("float32"))


def reconstructed(flow, inputs):
    noise = flow.transform_to_noise(inputs)
    outputs, logabsdet = flow._transform.inverse(noise)
    return torch.cat([outputs.reshape(len(inputs), -1), logabsdet.reshape(-1, 1)], 1)


def conditional():
    encoder = torch.nn.Linear(3, 4)
    with torch.no_grad():
        encoder.weight.copy_(numbers(5, 4, 3))
        encoder.bias.zero_()
    distribution = distributions.ConditionalDiagonalNormal([2], context_encoder=encoder)
    return distribution.log_prob(numbers(6, 5, 2), context=numbers(7, 5, 3))


def grid():
    dataset = data_.TestGridDataset(num_points_per_axis=4, bounds=np.array([[-4, 4], [-4, 4]]))
    return torch.cat([batch for batch in data.DataLoader(dataset=dataset, batch_size=6, drop_last=False)])


def tools():
    x = numbers(8, 4, 3)
    return torch.cat(
        [
            utils.tile(x[0], 3),
            utils.repeat_rows(x, 2).reshape(-1),
            utils.cbrt(x).reshape(-1),
            utils.logabsdet(x[:3]).reshape(-1),
            utils.split_leading_dim(x, [2, 2]).sum(1).reshape(-1),
            torch.as_tensor(utils.get_temperature(30.0)).reshape(-1),
        ]
    )


def forward(*nets):
    for net in nets:
        net.eval()
    x = 2 * numbers(0, 6, features)
    return {
        "rq_coupling": lambda: nets[0].log_prob(x),
        "rq_autoregressive": lambda: nets[1].log_prob(x),
        "quadratic_coupling": lambda: nets[2].log_prob(x),
        "affine_autoregressive": lambda: nets[3].log_prob(x),
        "image": lambda: nets[4].log_prob(images(1, 3)),
        "rq_coupling_inverse": lambda: reconstructed(nets[0], x),
        "rq_autoregressive_inverse": lambda: reconstructed(nets[1], x),
        "affine_autoregressive_inverse": lambda: reconstructed(nets[3], x),
        "image_inverse": lambda: reconstructed(nets[4], images(2, 2)),
        "conditional": lambda: conditional(),
        "grid": lambda: grid(),
        "tools": lambda: tools(),
    }


def learn(flow, dataset, steps, warm_up):
    """The loop of experiments/uci.py and plane.py."""
    loader = data_.InfiniteLoader(
        dataset=dataset, batch_size=8, shuffle=False, drop_last=True, num_epochs=None
    )
    optimizer = optim.Adam(flow.parameters(), lr=1e-2)
    if warm_up:
        scheduler = CosineAnnealingWarmUpLR(optimizer, warm_up_epochs=2, total_epochs=steps)
    else:
        scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, 0)
    losses, rates = [], []
    best_val_score = -1e10
    for step in range(steps):
        flow.train()
        optimizer.zero_grad()
        batch = next(loader)[0]
        log_density = flow.log_prob(batch)
        loss = -torch.mean(log_density)
        loss.backward()
        clip_grad_norm_(flow.parameters(), 5.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        rates.append(optimizer.param_groups[0]["lr"])
    flow.eval()
    with torch.no_grad():
        running_val_log_density = 0
        for (val_batch,) in data.DataLoader(dataset, batch_size=8):
            running_val_log_density += torch.mean(flow.log_prob(val_batch.detach())).detach()
        if running_val_log_density > best_val_score:
            best_val_score = running_val_log_density
    return losses, rates, best_val_score.item()


def train(coupling, autoregressive, quadratic, affine, image):
    table = data.TensorDataset(numbers(11, 20, features))
    losses, rates, best = learn(coupling, table, 3, False)
    others, warm, _ = learn(autoregressive, table, 3, True)
    third, _, _ = learn(affine, table, 3, False)
    pictures, _, _ = learn(image, data.TensorDataset(images(12, 16)), 3, False)
    return {
        "losses": losses,
        "rates": np.array(rates + warm),
        "best": best,
        "autoregressive": others,
        "affine": third,
        "image": pictures,
        "lower": coupling._transform._transforms[0]._transforms[0]._transforms[1].lower_entries,
        "net": coupling._transform._transforms[0]._transforms[1].transform_net.final_layer.weight,
        "made": autoregressive._transform._transforms[0]._transforms[1].autoregressive_net.final_layer.weight,
        "actnorm": image._transform._transforms[2]._transforms[0].log_scale,
    }
