import numpy as np
import torch
import torch.nn.functional as F

from clip.model import CLIP, build_model, convert_weights

TEXT = {
    "context_length": 9,
    "vocab_size": 40,
    "transformer_width": 64,
    "transformer_heads": 2,
    "transformer_layers": 2,
}


def build():
    vit = CLIP(32, image_resolution=32, vision_layers=2, vision_width=64, vision_patch_size=8, **TEXT)
    resnet = CLIP(
        32, image_resolution=64, vision_layers=(1, 1, 1, 1), vision_width=8, vision_patch_size=None, **TEXT
    )
    return vit, resnet


def pairs(seed, resolution, size=4):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.randn(size, 3, resolution, resolution).astype("float32"))
    return images, torch.from_numpy(rng.randint(1, 40, (size, 9)))


def forward(vit, resnet):
    vit.eval(), resnet.eval()

    def rebuilt():
        state = {key: value.clone() for key, value in vit.state_dict().items()}
        again = build_model(state).float()
        return again(*pairs(0, 32))[0]

    def halved():
        half = CLIP(32, 32, 2, 64, 8, **TEXT)
        convert_weights(half)
        return [str(half.dtype).rpartition(".")[2].lower() == "float16", half.visual.conv1.weight.shape[0]]

    return {
        "vit": lambda: list(vit(*pairs(0, 32))),
        "resnet": lambda: list(resnet(*pairs(1, 64))),
        "image": lambda: vit.encode_image(pairs(2, 32)[0]),
        "text": lambda: resnet.encode_text(pairs(2, 32)[1]),
        "rebuilt": rebuilt,
        "halved": halved,
    }


def trained(net, resolution):
    net.train()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.2)
    losses = []
    for step in range(3):
        images, texts = pairs(step, resolution)
        per_image, per_text = net(images, texts)
        truth = torch.arange(len(images), device=per_image.device)
        loss = (F.cross_entropy(per_image, truth) + F.cross_entropy(per_text, truth)) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            net.logit_scale.clamp_(0, np.log(100))
        losses.append(loss.item())
    return [
        losses,
        net.logit_scale,
        net.text_projection,
        net.positional_embedding,
        net.transformer.resblocks[0].attn.in_proj_weight,
    ]


def train(vit, resnet):
    return {"vit": lambda: trained(vit, 32), "resnet": lambda: trained(resnet, 64)}
