"""The gradients of one step, written for MindSpore by hand."""

import mindspore as ms
from critic import Critic
from penalty import gradient_penalty

critic = Critic()


def loss(mixed):
    return gradient_penalty(critic, mixed)


def step(mixed):
    value, gradients = ms.value_and_grad(loss, None, critic.trainable_params())(mixed)
    return value, gradients
