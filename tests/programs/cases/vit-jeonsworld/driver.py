import os
import tempfile
import types

import numpy as np
import torch

import train as program
from models import configs, modeling
from models.modeling_resnet import ResNetV2, StdConv2d
from utils.scheduler import ConstantLRSchedule, WarmupConstantSchedule, WarmupCosineSchedule, WarmupLinearSchedule

SIZE, CLASSES = 32, 5


def settings(hybrid=False, **others):
    found = configs.get_testing()
    found.patches = configs.ConfigDict({"size": (16, 16)})
    found.hidden_size = 16
    found.transformer = configs.ConfigDict()
    found.transformer.mlp_dim = 24
    found.transformer.num_heads = 4
    found.transformer.num_layers = 2
    found.transformer.attention_dropout_rate = 0.0
    found.transformer.dropout_rate = 0.0
    if hybrid:
        found.patches.grid = (2, 2)
        found.resnet = configs.ConfigDict()
        found.resnet.num_layers = (1, 1, 1)
        found.resnet.width_factor = 0.5
    return found


def network(size=SIZE, **how):
    hybrid = how.pop("hybrid", False)
    return modeling.VisionTransformer(settings(hybrid), img_size=size, num_classes=CLASSES, **how)


def build():
    return network(), network(vis=True, zero_head=True, size=48), network(hybrid=True, vis=True)


def init():
    torch.manual_seed(1)
    wide = settings()
    wide.hidden_size = 48
    wide.transformer.mlp_dim = 64
    net = modeling.VisionTransformer(wide, img_size=SIZE, num_classes=30)
    return {
        "first": net.transformer.encoder.layer[0].ffn.fc1.weight,
        "bias": net.transformer.encoder.layer[1].ffn.fc2.bias,
        "query": net.transformer.encoder.layer[1].attn.query.weight,
        "patches": net.transformer.embeddings.patch_embeddings.weight,
        "root": ResNetV2((1, 1, 1), 0.5).root.conv.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def weights(hidden=16, mlp=24, heads=4, layers=2, grid=2):
    """What the .npz files of the paper hold."""
    draw = np.random.RandomState(11)

    def made(*shape):
        return (0.2 * draw.randn(*shape)).astype("float32")

    found = {
        "head/kernel": made(hidden, CLASSES),
        "head/bias": made(CLASSES),
        "embedding/kernel": made(16, 16, 3, hidden),
        "embedding/bias": made(hidden),
        "cls": made(1, 1, hidden),
        "Transformer/encoder_norm/scale": made(hidden),
        "Transformer/encoder_norm/bias": made(hidden),
        "Transformer/posembed_input/pos_embedding": made(1, grid * grid + 1, hidden),
    }
    for layer in range(layers):
        root = f"Transformer/encoderblock_{layer}/"
        for name in ("query", "key", "value"):
            found[f"{root}MultiHeadDotProductAttention_1/{name}/kernel"] = made(hidden, heads, hidden // heads)
            found[f"{root}MultiHeadDotProductAttention_1/{name}/bias"] = made(heads, hidden // heads)
        found[f"{root}MultiHeadDotProductAttention_1/out/kernel"] = made(heads, hidden // heads, hidden)
        found[f"{root}MultiHeadDotProductAttention_1/out/bias"] = made(hidden)
        for name, shape in (("Dense_0", (hidden, mlp)), ("Dense_1", (mlp, hidden))):
            found[f"{root}MlpBlock_3/{name}/kernel"] = made(*shape)
            found[f"{root}MlpBlock_3/{name}/bias"] = made(shape[1])
        for name in ("LayerNorm_0", "LayerNorm_2"):
            found[f"{root}{name}/scale"], found[f"{root}{name}/bias"] = made(hidden), made(hidden)
    return found


def loaded(size, **how):
    net = network(size, **how)
    net.load_from(weights())
    net.eval()
    return net(array(3, 2, 3, size, size))[0]


def rates(kind, **how):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(2))], lr=0.5)
    scheduler, found = kind(optimizer, **how), []
    for _ in range(6):
        optimizer.step()
        scheduler.step()
        found.append(optimizer.param_groups[0]["lr"])
    return found


def forward(net, seen, hybrid):
    for one in (net, seen, hybrid):
        one.eval()
    with torch.no_grad():
        return {
            "logits": lambda: net(array(1, 3, 3, SIZE, SIZE))[0],
            "loss": lambda: net(array(1, 3, 3, SIZE, SIZE), torch.tensor([0, 4, 2])),
            "attention": lambda: seen(array(2, 2, 3, 48, 48))[1],
            "hybrid": lambda: hybrid(array(3, 2, 3, SIZE, SIZE))[0],
            "loaded": lambda: loaded(SIZE),
            "resized": lambda: loaded(48),
            "zero": lambda: loaded(SIZE, zero_head=True),
            "constant": lambda: rates(ConstantLRSchedule),
            "warm": lambda: rates(WarmupConstantSchedule, warmup_steps=3),
            "linear": lambda: rates(WarmupLinearSchedule, warmup_steps=2, t_total=5),
            "cosine": lambda: rates(WarmupCosineSchedule, warmup_steps=2, t_total=6),
            "count": lambda: program.count_parameters(net),
        }


class Board:
    """Stands for the writer of TensorBoard."""

    def __init__(self, log_dir):
        self.folder = log_dir

    def add_scalar(self, name, scalar_value, global_step):
        values.append([float(scalar_value), global_step])

    def close(self):
        self.folder = None


values = []


def loaders(args):
    batches = [(array(20 + n, 4, 3, SIZE, SIZE), torch.tensor([n % CLASSES, 1, 4, 2])) for n in range(4)]
    return batches, [(array(40, 3, 3, SIZE, SIZE), torch.tensor([0, 3, 1])), (array(41, 1, 3, SIZE, SIZE), torch.tensor([2]))]


def train(net, seen, hybrid):
    program.get_loader, program.SummaryWriter = loaders, Board
    results, folder = {}, os.getcwd()
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        try:
            for name, one, decay in (("plain", net, "cosine"), ("hybrid", hybrid, "linear")):
                args = types.SimpleNamespace(
                    local_rank=-1, output_dir="output", name=name, train_batch_size=4, gradient_accumulation_steps=2,
                    learning_rate=0.05, weight_decay=0.01, num_steps=3, decay_type=decay, warmup_steps=1, fp16=False,
                    max_grad_norm=1.0, eval_every=2, eval_batch_size=2, device=torch.device("cpu"), seed=3, n_gpu=0,
                )  # fmt: skip
                if name == "hybrid":
                    args.gradient_accumulation_steps = 1
                program.train(args, one)
            results["saved"] = sorted(os.listdir("output")) == ["hybrid_checkpoint.bin", "plain_checkpoint.bin"]
            saved = torch.load("output/plain_checkpoint.bin")
        except FileNotFoundError:
            saved = net.state_dict()
        finally:
            os.chdir(folder)
    return {
        **results,
        "losses": values,
        "query": net.transformer.encoder.layer[1].attn.query.weight,
        "position": net.transformer.embeddings.position_embeddings,
        "token": net.transformer.embeddings.cls_token,
        "head": net.head.weight,
        "root": hybrid.transformer.embeddings.hybrid_model.root.conv.weight,
        "norm": hybrid.transformer.embeddings.hybrid_model.root.gn.weight,
        "mlp": hybrid.transformer.encoder.layer[0].ffn.fc2.weight,
        "names": len(saved),
    }
