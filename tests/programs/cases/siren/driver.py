import os
import tempfile

import numpy as np
import torch

import diff_operators
import loss_functions
import modules
import training


def net(**kwargs):
    return modules.SingleBVPNet(out_features=1, hidden_features=16, num_hidden_layers=1, mode="mlp", **kwargs)


def build():
    return net(type="sine"), net(type="sine"), net(type="tanh"), net(type="sine", in_features=3)


def init():
    torch.manual_seed(4)
    made = modules.SingleBVPNet(type="sine", hidden_features=64, num_hidden_layers=1)
    return {
        "first": made.net.net[0][0].weight,
        "hidden": made.net.net[1][0].weight,
        "bias": made.net.net[1][0].bias,
    }


def points(seed, width=2):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (1, 20, width)).astype("float32"))


def numbers(seed, width):
    return torch.from_numpy(np.random.RandomState(seed).randn(1, 20, width).astype("float32"))


def gradient_of(model):
    output = model({"coords": points(0)})
    return diff_operators.gradient(output["model_out"], output["model_in"])


def laplace_of(model):
    output = model({"coords": points(0)})
    return diff_operators.laplace(output["model_out"], output["model_in"])


def jacobian_of(model):
    output = model({"coords": points(0)})
    return diff_operators.jacobian(output["model_out"], output["model_in"])[0]


def hessian_of(model):
    output = model({"coords": points(0)})
    return diff_operators.hessian(output["model_out"], output["model_in"])[0]


def forward(image, poisson, laplacian, surface):
    return {
        "image": image({"coords": points(0)})["model_out"],
        "tanh": laplacian({"coords": points(0)})["model_out"],
        "gradient": lambda: gradient_of(image),
        "laplace": lambda: laplace_of(laplacian),
        "jacobian": lambda: jacobian_of(image),
        "hessian": lambda: hessian_of(laplacian),
    }


def run(model, batches, loss_fn, clip_grad=False):
    training.train(
        model=model,
        train_dataloader=batches,
        epochs=1,
        lr=1e-4,
        steps_til_summary=10,
        epochs_til_checkpoint=10,
        model_dir=os.path.join(tempfile.mkdtemp(), "run"),
        loss_fn=loss_fn,
        summary_fn=lambda *args: None,
        clip_grad=clip_grad,
    )


def train(image, poisson, laplacian, surface):
    run(
        image,
        [({"coords": points(i)}, {"img": numbers(i, 1)}) for i in range(3)],
        lambda output, gt: loss_functions.image_mse(None, output, gt),
    )
    run(
        poisson,
        [({"coords": points(i)}, {"gradients": numbers(i, 2)}) for i in range(3)],
        loss_functions.gradients_mse,
    )
    run(
        laplacian,
        [({"coords": points(i)}, {"laplace": numbers(i, 1)}) for i in range(3)],
        loss_functions.laplace_mse,
    )
    surfaces = []
    for i in range(3):
        on = torch.from_numpy(
            np.where(np.random.RandomState(i).rand(1, 20, 1) < 0.5, 0.0, -1.0).astype("float32")
        )
        surfaces.append(({"coords": points(i, 3)}, {"sdf": on, "normals": numbers(i, 3)}))
    run(surface, surfaces, loss_functions.sdf, clip_grad=True)
    return {
        "image": image.net.net[0][0].weight,
        "poisson": poisson.net.net[1][0].weight,
        "laplacian": laplacian.net.net[1][0].weight,
        "surface": surface.net.net[1][0].weight,
    }
