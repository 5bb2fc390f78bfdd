"""Training of a DCGAN: the critic steps with the gradients of two losses, and the images that it saw as fakes are used
once more, with its new weights, for the step of the generator."""

import torch
import torch.nn as nn
import torch.optim as optim

from dcgan import Critic, Generator

real_label = 1.0
fake_label = 0.0


def networks():
    return Generator(), Critic()


def run(netG, netD, arrays):
    criterion = nn.BCELoss()
    optimizerD = optim.Adam(netD.parameters(), lr=0.002, betas=(0.5, 0.999))
    optimizerG = optim.Adam(netG.parameters(), lr=0.002, betas=(0.5, 0.999))
    losses = []
    dataloader = [torch.from_numpy(images) for images in arrays["images"]]

    for i, data in enumerate(dataloader, 0):
        ############################
        # (1) Update D network: maximize log(D(x)) + log(1 - D(G(z)))
        ###########################
        # train with real
        netD.zero_grad()
        batch_size = data.size(0)
        label = torch.full((batch_size,), real_label, dtype=data.dtype)
        output = netD(data)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        # train with fake
        noise = torch.from_numpy(arrays["noise"][i])
        fake = netG(noise)
        label.fill_(fake_label)
        output = netD(fake.detach())
        errD_fake = criterion(output, label)
        errD_fake.backward()
        D_G_z1 = output.mean().item()
        errD = errD_real + errD_fake
        optimizerD.step()

        ############################
        # (2) Update G network: maximize log(D(G(z)))
        ###########################
        netG.zero_grad()
        label.fill_(real_label)  # fake labels are real for generator cost
        output = netD(fake)
        errG = criterion(output, label)
        errG.backward()
        D_G_z2 = output.mean().item()
        optimizerG.step()

        print(
            "Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f"
            % (errD.item(), errG.item(), D_x, D_G_z1, D_G_z2)
        )
        losses += [errD.item(), errG.item(), D_x, D_G_z1, D_G_z2]
    return losses
