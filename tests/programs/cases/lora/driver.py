import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import loralib as lora

TOKENS, WIDTH = 17, 8


class Block(nn.Module):
    """A transformer block, adapted as the README shows."""

    def __init__(self):
        super().__init__()
        self.embed = lora.Embedding(TOKENS, WIDTH, r=2)
        self.qkv_proj = lora.MergedLinear(
            WIDTH, 3 * WIDTH, r=2, lora_alpha=4, enable_lora=[True, False, True]
        )
        self.out = lora.Linear(WIDTH, WIDTH, r=2, lora_alpha=16)
        self.turned = lora.Linear(WIDTH, WIDTH, r=1, fan_in_fan_out=True)
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, TOKENS)

    def forward(self, tokens):
        x = self.embed(tokens)
        query, key, value = self.qkv_proj(x).chunk(3, dim=-1)
        weights = torch.softmax(query @ key.transpose(-2, -1) / WIDTH**0.5, dim=-1)
        x = self.norm(x + self.out(weights @ value))
        return self.head(x + self.turned(x))


class Pictures(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = lora.Conv2d(3, 8, kernel_size=3, r=2, padding=1)
        self.conv2 = lora.Conv2d(8, 8, 3, r=1, lora_alpha=2, merge_weights=False)
        self.fc = lora.Linear(8, 4, r=2, bias=False)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        return self.fc(F.relu(self.conv2(x)).mean(dim=(2, 3)))


def build():
    return Block(), Pictures()


def tokens(seed):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, TOKENS, (3, 6)))


def pictures(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(4, 3, 8, 8).astype("float32"))


def trainable(net):
    return [name for name, p in net.named_parameters() if p.requires_grad]


def forward(block, net):
    block.train()
    net.train()
    unmerged = [block(tokens(0)), net(pictures(0))]
    block.eval()
    net.eval()
    merged = [block(tokens(0)), net(pictures(0))]
    weights = [block.qkv_proj.weight.clone(), block.turned.weight.clone(), net.conv1.conv.weight.clone()]
    block.train()
    net.train()
    again = [block(tokens(0)), net(pictures(0)), block.embed.weight.clone()]
    return {"unmerged": unmerged, "merged": merged, "weights": weights, "again": again}


def trained(net, batches, targets):
    before = net.state_dict()["head.weight" if hasattr(net, "head") else "fc.weight"].clone()
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.01)
    losses = []
    for step in range(3):
        net.train()
        loss = F.cross_entropy(net(batches(step)).flatten(0, -2), targets(step))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            losses.append(net(batches(9)).sum().item())
    net.train()
    after = net.state_dict()["head.weight" if hasattr(net, "head") else "fc.weight"]
    return losses, (after - before).abs().max()


def train(block, net):
    lora.mark_only_lora_as_trainable(block, bias="lora_only")
    lora.mark_only_lora_as_trainable(net)
    results = {"trainable": [len(trainable(block)), len(trainable(net))]}

    def labels(count, size):
        return lambda seed: torch.from_numpy(np.random.RandomState(50 + seed).randint(0, count, size))

    results["losses"], results["moved"] = trained(block, tokens, labels(TOKENS, 18))
    results["picture_losses"], results["picture_moved"] = trained(net, pictures, labels(4, 4))
    torch.save(lora.lora_state_dict(block, bias="lora_only"), "lora.pt")
    kept = torch.load("lora.pt")
    results["kept"] = [len(kept), kept["qkv_proj.lora_B"], kept["qkv_proj.bias"]]
    other = Block()
    missing = other.load_state_dict(kept, strict=False)
    results["loaded"] = [other.out.lora_A, len(missing.missing_keys), len(missing.unexpected_keys)]
    results["conv"] = [net.conv1.lora_A, net.conv2.lora_B]
    results["embedding"] = block.embed.lora_A
    results["turned"] = block.turned.lora_B
    return results


def init():
    layer = lora.Linear(64, 64, r=8)
    return {"A": layer.lora_A, "weight": layer.weight, "conv": lora.Conv2d(8, 16, 3, r=4).lora_A}
