"""Keeps the gradient of the critic near one, written for MindSpore by hand."""

import mindspore as ms


def gradient_penalty(critic, mixed):
    def score(x):
        return critic(x).sum()

    gradient = ms.grad(score)(mixed)
    norm = (gradient * gradient).sum((1, 2, 3), keepdims=True).sqrt()
    return ((norm - 1) ** 2).mean((0, 1, 2, 3), keep_dims=True).sum()
