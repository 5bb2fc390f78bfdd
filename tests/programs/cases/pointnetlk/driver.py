import os
import tempfile

import numpy as np
import ptlk
import torch
import torchvision
from experiments import train_classifier, train_pointlk

POINTS = 40


def shapes():
    """Folders like ModelNet's, with meshes in OFF files, and the transforms that the repository puts them through."""
    folder = tempfile.mkdtemp()
    rng = np.random.RandomState(0)
    for number, name in enumerate(("box", "cone", "ring")):
        for part, count in (("train", 3), ("test", 1)):
            os.makedirs(os.path.join(folder, name, part))
            for index in range(count):
                points = rng.rand(POINTS, 3) * [1 + number, 2, 3 - number]
                with open(os.path.join(folder, name, part, f"{name}_{index}.off"), "w") as file:
                    file.write(f"OFF\n{POINTS} 2 0\n")
                    file.writelines(" ".join(f"{value:.6f}" for value in point) + "\n" for point in points)
                    file.write("3 0 1 2\n3 1 2 3\n")
    transform = torchvision.transforms.Compose(
        [ptlk.data.transforms.Mesh2Points(), ptlk.data.transforms.OnUnitCube()]
    )
    cinfo = ptlk.data.globset.classes_to_cinfo(["box", "cone", "ring"])
    return [
        ptlk.data.datasets.ModelNet(folder, train=part, transform=transform, classinfo=cinfo)
        for part in (1, 0)
    ]


def moved(dataset, seed, **more):
    twists = np.random.RandomState(seed).randn(len(dataset), 6) * 0.1
    return ptlk.data.datasets.CADset4tracking_fixed_perturbation(dataset, twists.astype("float32"), **more)


def options(module, *more):
    folder = tempfile.mkdtemp()
    given = [
        "-o",
        os.path.join(folder, "out"),
        "-i",
        folder,
        "-c",
        "",
        "-j",
        "0",
        "-b",
        "3",
        "--epochs",
        "2",
        "--dim-k",
        "32",
    ]
    return module.options([*given, *more])


def tracker(*more):
    return train_pointlk.Action(options(train_pointlk, "--max-iter", "3", "--delta", "0.1", *more))


def classifier(*more):
    return train_classifier.Action(options(train_classifier, *more), 3)


def build():
    return (
        tracker().create_model(),
        tracker("--symfn", "avg", "--learn-delta").create_model(),
        classifier("--use-tnet").create_model(),
        classifier("--symfn", "avg").create_model(),
    )


def points(seed, number=2):
    return torch.from_numpy(np.random.RandomState(seed).rand(number, POINTS, 3).astype("float32"))


def motions():
    x = torch.from_numpy(np.random.RandomState(1).randn(4, 6).astype("float32"))
    x[3] = 0
    g = ptlk.se3.exp(x)
    w = x[:3, :3]
    return [
        g,
        ptlk.se3.Exp(x),
        ptlk.se3.inverse(g),
        ptlk.se3.log(g)[:3],
        ptlk.so3.exp(w),
        ptlk.so3.Exp(w),
        ptlk.so3.log(ptlk.so3.exp(w)),
        ptlk.so3.genvec(),
        ptlk.sinc.sinc1(x),
        ptlk.sinc.sinc2(x),
        ptlk.sinc.sinc3(x),
    ]


def gradients():
    x = torch.from_numpy(np.random.RandomState(2).randn(2, 6).astype("float32")).requires_grad_()
    ptlk.se3.Exp(x)[:, 0].sum().backward()
    m = torch.from_numpy(
        (np.random.RandomState(3).randn(2, 3, 3) + 3 * np.eye(3)).astype("float32")
    ).requires_grad_()
    (ptlk.invmat.InvMatrix.apply(m) ** 2).sum().backward()
    return [x.grad, m.grad]


def forward(lk, learnt, tnet, plain):
    for net in (lk, learnt, tnet, plain):
        net.eval()

    def registered(net):
        r = ptlk.pointlk.PointLK.do_forward(net, points(4), points(5) * 0.9, 2, 1.0e-7)
        return [r, net.g, net.g_series]

    def loaded():
        train, test = shapes()
        first, second = train.split(0.6)
        sizes = np.array([len(train), len(test), len(first), len(second), train.num_classes()], "float32")
        return [*moved(train, 6)[2], *moved(test, 7, fmt_trans=False)[0], sizes]

    return {
        "lk": lambda: registered(lk),
        "learnt": lambda: registered(learnt),
        "tnet": lambda: tnet(points(4)),
        "plain": lambda: plain(points(5)),
        "motions": motions,
        "gradients": gradients,
        "inverse": lambda: list(ptlk.invmat.batch_pinv_dx(points(6)[:, :4, :2])),
        "loaded": loaded,
    }


def trained(module, action, net, *more):
    args = options(module, *more)
    train, test = shapes()
    if module is train_pointlk:
        train, test = moved(train, 1), moved(test, 2)
    action.create_model = lambda: net
    said = []
    module.LOGGER.info = lambda text, *values: said.append([float(value) for value in values])
    module.run(args, train, test, action)
    again = list(more) + ["--resume", f"{args.outfile}_snap_last.pth", "--epochs", "3", "-o", args.outfile]
    resumed = options(module, *again)
    module.run(resumed, train, test, action)
    last = torch.load(f"{args.outfile}_snap_last.pth", weights_only=False)
    name = "ptnet.h1.0.weight" if module is train_pointlk else "features.h1.0.weight"
    return [
        np.array(said),
        np.array([last["epoch"], last["min_loss"]]),
        last["model"][name],
        dict(net.named_parameters())[name],
    ]


def train(lk, learnt, tnet, plain):
    return {
        "lk": lambda: trained(train_pointlk, tracker(), lk),
        "learnt": lambda: [
            *trained(train_pointlk, tracker("--learn-delta"), learnt),
            learnt.dt,
        ],
        "tnet": lambda: trained(train_classifier, classifier("--use-tnet"), tnet),
        "plain": lambda: trained(train_classifier, classifier(), plain),
    }


def init():
    net = train_classifier.Action(options(train_classifier, "--use-tnet"), 3).create_model()
    return {
        "shared": net.features.h1[3].weight,
        "tnet": net.features.tnet1.lin.weight,
        "classifier": net.classifier[0].weight,
        "norm": net.features.h2[1].weight,
    }
