"""Gradients of networks for their inputs, as penalties: one of several outputs, ones of NumPy, outputs that are used
besides."""

import numpy as np
import torch
import torch.autograd as autograd
import torch.nn as nn
from torch.autograd import Variable

cuda = torch.cuda.is_available()
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
FloatTensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 1)
        self.c = nn.Linear(4, 2)

    def forward(self, x):
        h = torch.tanh(self.a(x))
        return self.b(h), self.c(h)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def fill(net):
    r = np.random.RandomState(0)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.from_numpy(r.randn(*p.shape).astype("float32") * 0.3))


def tuple_penalty(D, real, fake):
    alpha = Tensor(np.full((real.size(0), 1), 0.3))
    interpolates = (alpha * real + ((1 - alpha) * fake)).requires_grad_(True)
    d_interpolates, _ = D(interpolates)
    ones = Variable(Tensor(np.ones(d_interpolates.shape)), requires_grad=False)
    gradients = autograd.grad(
        outputs=d_interpolates,
        inputs=interpolates,
        grad_outputs=ones,
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


def numpy_penalty(D, real, fake):
    alpha = FloatTensor(np.full((real.size(0), 1), 0.6))
    interpolates = (alpha * real + ((1 - alpha) * fake)).requires_grad_(True)
    validity = D(interpolates)
    fake_ = Variable(FloatTensor(np.ones(validity.shape)), requires_grad=False)
    gradients = autograd.grad(
        outputs=validity,
        inputs=interpolates,
        grad_outputs=fake_,
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


def main():
    real0 = torch.linspace(-1, 1, 15).view(5, 3)
    fake0 = torch.linspace(1, -2, 15).view(5, 3)
    D = Critic()
    fill(D)
    opt = torch.optim.Adam(D.parameters(), lr=0.01)
    for i in range(3):
        opt.zero_grad()
        real_validity, cls = D(real0)
        loss = -real_validity.mean() + 10 * tuple_penalty(D, real0.data, fake0.data) + cls.pow(2).mean()
        loss.backward()
        opt.step()
        print("tuple %.5f" % loss.item())
    D = Plain()
    fill(D)
    opt = torch.optim.Adam(D.parameters(), lr=0.01)
    for i in range(3):
        opt.zero_grad()
        loss = -D(real0).mean() + numpy_penalty(D, real0.data, fake0.data)
        loss.backward()
        opt.step()
        print("numpy %.5f" % loss.item())
    D = Plain()
    fill(D)
    opt = torch.optim.Adam(D.parameters(), lr=0.01)
    k, p = 2, 6
    for i in range(3):
        real_imgs = Variable(real0.type(Tensor), requires_grad=True)
        opt.zero_grad()
        fake_imgs = fake0 * 1.0
        fake_imgs.requires_grad_(True)
        real_validity = D(real_imgs)
        fake_validity = D(fake_imgs)
        real_grad_out = Variable(Tensor(real_imgs.size(0), 1).fill_(1.0), requires_grad=False)
        real_grad = autograd.grad(
            real_validity, real_imgs, real_grad_out, create_graph=True, retain_graph=True, only_inputs=True
        )[0]
        real_grad_norm = real_grad.view(real_grad.size(0), -1).pow(2).sum(1) ** (p / 2)
        fake_grad_out = Variable(Tensor(fake_imgs.size(0), 1).fill_(1.0), requires_grad=False)
        fake_grad = autograd.grad(
            fake_validity, fake_imgs, fake_grad_out, create_graph=True, retain_graph=True, only_inputs=True
        )[0]
        fake_grad_norm = fake_grad.view(fake_grad.size(0), -1).pow(2).sum(1) ** (p / 2)
        div_gp = torch.mean(real_grad_norm + fake_grad_norm) * k / 2
        d_loss = -torch.mean(real_validity) + torch.mean(fake_validity) + div_gp
        d_loss.backward()
        opt.step()
        print("div %.5f" % d_loss.item())


if __name__ == "__main__":
    main()
