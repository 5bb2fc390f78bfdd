from argparse import Namespace

import models.configs as configs
import numpy as np
import torch
import train as program
from models.modeling import VisionTransformer
from models.modeling_resnet import PreActBottleneck, ResNetV2
from utils.scheduler import ConstantLRSchedule, WarmupConstantSchedule, WarmupLinearSchedule

CLASSES, SIZE, HIDDEN, BATCH = 10, 32, 32, 5


def config():
    """That of ViT-B/16, narrow and shallow, without the randomness of dropout."""
    made = configs.get_b16_config()
    made.patches.size = (8, 8)
    made.hidden_size = HIDDEN
    made.transformer.mlp_dim = 64
    made.transformer.num_heads = 4
    made.transformer.num_layers = 2
    made.transformer.dropout_rate = 0.0
    return made


def hybrid():
    made = config()
    del made.patches.size
    made.patches.grid = (2, 2)
    made.resnet = configs.get_r50_b16_config().resnet
    made.resnet.num_layers = (1, 1, 1)
    made.resnet.width_factor = 1
    return made


def build():
    return VisionTransformer(config(), SIZE, num_classes=CLASSES, zero_head=False, vis=True), ResNetV2((1, 1, 2), 0.5)


def batch(seed):
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(BATCH, 3, SIZE, SIZE).astype("float32"))
    return images, torch.from_numpy(random.randint(0, CLASSES, BATCH))


def trained_elsewhere():
    """Weights as the checkpoints of JAX hold them, for a smaller picture."""
    random = np.random.RandomState(3)
    heads = (HIDDEN, 4, HIDDEN // 4)
    shapes = {
        "head/kernel": (HIDDEN, CLASSES),
        "head/bias": (CLASSES,),
        "embedding/kernel": (8, 8, 3, HIDDEN),
        "embedding/bias": (HIDDEN,),
        "cls": (1, 1, HIDDEN),
        "Transformer/encoder_norm/scale": (HIDDEN,),
        "Transformer/encoder_norm/bias": (HIDDEN,),
        "Transformer/posembed_input/pos_embedding": (1, 10, HIDDEN),
    }
    for block in range(2):
        root = f"Transformer/encoderblock_{block}/"
        for name in ("query", "key", "value"):
            shapes[f"{root}MultiHeadDotProductAttention_1/{name}/kernel"] = heads
            shapes[f"{root}MultiHeadDotProductAttention_1/{name}/bias"] = heads[1:]
        shapes[f"{root}MultiHeadDotProductAttention_1/out/kernel"] = (4, HIDDEN // 4, HIDDEN)
        shapes[f"{root}MultiHeadDotProductAttention_1/out/bias"] = (HIDDEN,)
        shapes[f"{root}MlpBlock_3/Dense_0/kernel"] = (HIDDEN, 64)
        shapes[f"{root}MlpBlock_3/Dense_0/bias"] = (64,)
        shapes[f"{root}MlpBlock_3/Dense_1/kernel"] = (64, HIDDEN)
        shapes[f"{root}MlpBlock_3/Dense_1/bias"] = (HIDDEN,)
        for norm in ("LayerNorm_0", "LayerNorm_2"):
            shapes[f"{root}{norm}/scale"] = (HIDDEN,)
            shapes[f"{root}{norm}/bias"] = (HIDDEN,)
    return {name: (0.2 * random.randn(*shape)).astype("float32") for name, shape in shapes.items()}


def loaded():
    net = VisionTransformer(config(), SIZE, num_classes=CLASSES, zero_head=False)
    net.load_from(trained_elsewhere())
    net.eval()
    return [net(batch(4)[0])[0], net.transformer.embeddings.position_embeddings]


def zeroed():
    net = VisionTransformer(config(), SIZE, num_classes=CLASSES, zero_head=True)
    net.load_from(trained_elsewhere())
    net.eval()
    return net(batch(4)[0])[0]


def forward(net, resnet):
    net.eval()
    images, labels = batch(0)
    logits, weights = net(images)
    return {
        "logits": logits,
        "attention": list(weights),
        "loss": lambda: net(images, labels),
        "resnet": lambda: resnet.eval()(images),
        "loaded": loaded,
        "zeroed": zeroed,
        "hybrid": lambda: VisionTransformer(hybrid(), SIZE, num_classes=CLASSES).eval()(images)[0].shape,
        "unit": lambda: PreActBottleneck(64, 256, 64).eval()(torch.ones(2, 64, 5, 5) * 0.3).shape,
        "parameters": lambda: program.count_parameters(net),
    }


def schedules():
    rates = []
    for schedule in (
        lambda optimizer: ConstantLRSchedule(optimizer),
        lambda optimizer: WarmupConstantSchedule(optimizer, 2),
        lambda optimizer: WarmupLinearSchedule(optimizer, 2, 5),
    ):
        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.5)
        scheduler = schedule(optimizer)
        for _ in range(4):
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
    return rates


def train(net, resnet):
    program.get_loader = lambda args: ([batch(1), batch(2), batch(3), batch(4)], [batch(8), batch(9)])
    args = Namespace(
        name="small",
        output_dir="output",
        local_rank=-1,
        train_batch_size=BATCH,
        eval_batch_size=BATCH,
        gradient_accumulation_steps=2,
        learning_rate=0.03,
        weight_decay=0.001,
        num_steps=4,
        warmup_steps=2,
        decay_type="cosine",
        fp16=False,
        max_grad_norm=1.0,
        eval_every=2,
        device=torch.device("cpu"),
        n_gpu=0,
        seed=42,
    )
    losses = []

    def keep(module, inputs, output):
        if module.training:
            losses.append(output.item())

    handle = net.register_forward_hook(keep)
    program.train(args, net)
    handle.remove()
    return {
        "losses": losses,
        "rates": schedules(),
        "patches": net.transformer.embeddings.patch_embeddings.weight,
        "position": net.transformer.embeddings.position_embeddings,
        "query": net.transformer.encoder.layer[1].attn.query.weight,
        "head": net.head.weight,
    }


def init():
    net = build()[0]
    return {"fc1": net.transformer.encoder.layer[0].ffn.fc1.weight, "bias": net.transformer.encoder.layer[0].ffn.fc2.bias}
