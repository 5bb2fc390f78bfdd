"""A nested dict of settings, merged from defaults, popped apart and handed on."""

import copy

import torch.nn as nn

DEFAULTS = {"type": "Linear", "args": {"in_features": 2, "out_features": 3}, "repeat": 1}


def merge(base, changes):
    result = copy.deepcopy(base)
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merge(result[key], value)
        else:
            result[key] = value
    return result


def build(config):
    config = config.copy()
    kind = config.pop("type")
    return [getattr(nn, kind)(**config["args"]) for _ in range(config.get("repeat", 1))]


changed = merge(DEFAULTS, {"args": {"bias": False}, "repeat": 3})
answer = nn.Sequential(*build(DEFAULTS), *build(changed))
answer_conv = build(
    merge({"repeat": 1}, {"type": "Conv2d", "args": {"in_channels": 1, "out_channels": 2, "kernel_size": 3}})
)[0]
answer_defaults = DEFAULTS
answer_changed = changed["args"]
