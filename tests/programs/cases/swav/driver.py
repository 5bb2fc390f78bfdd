import os

import numpy as np
import torch
import torch.nn as nn
from PIL import Image

import eval_linear
import main_swav
import src.resnet50 as resnet_models
from src.multicropdataset import MultiCropDataset
from src.utils import accuracy, restart_from_checkpoint

main_swav.args = main_swav.parser.parse_args(
    ["--nmb_crops", "2", "2", "--size_crops", "32", "24", "--crops_for_assign", "0", "1", "--temperature", "0.1",
     "--epsilon", "0.05", "--sinkhorn_iterations", "3", "--feat_dim", "16", "--nmb_prototypes", "20",
     "--use_fp16", "false", "--freeze_prototypes_niters", "2"]
)  # fmt: skip
main_swav.args.world_size, main_swav.args.rank = 1, 0


class Parallel(nn.Module):
    """Stands for DistributedDataParallel."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, inputs):
        return self.module(inputs)


class LARC:
    """Stands for apex's: the rate of each parameter by the ratio of its norm and that of its gradient."""

    def __init__(self, optimizer, trust_coefficient=0.001):
        self.optim, self.trust = optimizer, trust_coefficient

    @property
    def param_groups(self):
        return self.optim.param_groups

    def zero_grad(self):
        self.optim.zero_grad()

    def state_dict(self):
        return self.optim.state_dict()

    def load_state_dict(self, state):
        self.optim.load_state_dict(state)

    def step(self):
        decays = []
        with torch.no_grad():
            for group in self.optim.param_groups:
                decays.append(group["weight_decay"])
                group["weight_decay"] = 0
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    size, slope = torch.norm(p.data), torch.norm(p.grad.data)
                    if size != 0 and slope != 0:
                        rate = self.trust * size / (slope + size * decays[-1] + 1e-8)
                        p.grad.data += decays[-1] * p.data
                        p.grad.data *= rate
        self.optim.step()
        for group, decay in zip(self.optim.param_groups, decays):
            group["weight_decay"] = decay


def resnet(**options):
    return resnet_models.ResNet(resnet_models.BasicBlock, [1, 1, 1, 1], width_per_group=64, **options)


def build():
    heads = resnet_models.ResNet(
        resnet_models.Bottleneck, [1, 1, 1, 1], normalize=True, output_dim=8, nmb_prototypes=[5, 7],
        replace_stride_with_dilation=[False, False, True],
    )  # fmt: skip
    backbone = resnet(output_dim=0, eval_mode=True)
    return resnet(normalize=True, hidden_mlp=24, output_dim=16, nmb_prototypes=20), heads, backbone


def init():
    torch.manual_seed(0)
    net = resnet(normalize=True, hidden_mlp=128, output_dim=64, nmb_prototypes=100, zero_init_residual=True)
    return {
        "conv1": net.conv1.weight,
        "prototypes": net.prototypes.weight,
        "head": net.projection_head[0].weight,
        "bn2": net.layer1[0].bn2.weight,
    }


def crops(seed, count=4):
    rng = np.random.RandomState(seed)
    return [torch.from_numpy(rng.randn(count, 3, size, size).astype("float32")) for size in (32, 32, 24, 24)]


def multi_crop():
    for label in range(2):
        os.makedirs("images/class%d" % label, exist_ok=True)
        pixels = np.random.RandomState(label).randint(0, 255, (50, 60, 3)).astype("uint8")
        Image.fromarray(pixels).save("images/class%d/0.png" % label)
    data = MultiCropDataset("images", [32, 24], [2, 3], [0.14, 0.05], [1.0, 0.14], return_index=True)
    index, found = data[1]
    return torch.tensor([float(index), float(len(data)), *(float(size) for crop in found for size in crop.shape)])


def forward(net, heads, backbone):
    for one in (net, heads, backbone):
        one.eval()
    embedding, output = net(crops(0))
    _, several = heads(crops(1)[0])
    features = backbone(crops(2)[0])
    linear = eval_linear.RegLog(5, "resnet50", global_avg=True)
    linear.eval()
    target = torch.tensor([3, 1, 0, 4])
    scores = torch.from_numpy(np.random.RandomState(3).randn(4, 5).astype("float32"))
    return {
        "embedding": embedding,
        "output": output,
        "first": several[0],
        "second": several[1],
        "features": features,
        "assigned": lambda: main_swav.distributed_sinkhorn(output / 4),
        "accuracy": lambda: torch.cat(accuracy(scores, target, topk=(1, 3))),
        "crops": multi_crop,
        "pooled": lambda: linear.av_pool(torch.cat([features, features, features, features], 1)),
        "spread": lambda: (linear.linear.weight.std() * 100).round(),
    }


def train(net, heads, backbone):
    model = Parallel(net)
    optimizer = LARC(torch.optim.SGD(model.parameters(), lr=0.06, momentum=0.9, weight_decay=1e-6))
    schedule = np.linspace(0.03, 0.09, 9)
    result, queue = {}, None
    for epoch in range(3):
        loader = [crops(10 * epoch + step) for step in range(3)]
        if epoch == 1:
            queue = torch.zeros(2, 12, 16)
        scores, queue = main_swav.train(loader, model, optimizer, epoch, schedule, queue)
        result["loss_%d" % epoch] = scores[1]
    result["queue"] = queue
    result["prototypes"] = net.prototypes.weight.clone()
    result["conv1"] = net.conv1.weight.clone()
    torch.save(
        {"epoch": 3, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pth.tar"
    )
    to_restore, again = {"epoch": 0}, Parallel(resnet(normalize=True, hidden_mlp=24, output_dim=16, nmb_prototypes=20))
    other = LARC(torch.optim.SGD(again.parameters(), lr=0.06, momentum=0.9, weight_decay=1e-6))
    restart_from_checkpoint(["none", "checkpoint.pth.tar"], to_restore, state_dict=again, optimizer=other)
    result["epoch"] = float(to_restore["epoch"])
    main_swav.train([crops(50)], again, other, 0, schedule, queue)
    result["resumed"] = again.module.layer4[0].conv2.weight
    return result
