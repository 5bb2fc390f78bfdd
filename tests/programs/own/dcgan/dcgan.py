import torch
import torch.nn as nn
import torch.optim as optim

from networks import Discriminator, Generator, weights_init

nz, ngf, ndf, nc = 8, 8, 8, 1
real_label, fake_label = 1.0, 0.0


def create(device):
    netG = Generator(nz, ngf, nc).to(device)
    netG.apply(weights_init)
    netD = Discriminator(nc, ndf).to(device)
    netD.apply(weights_init)
    return netG, netD


def train(netG, netD, dataloader, noises, lr=2e-4, beta1=0.5):
    device = next(netG.parameters()).device
    criterion = nn.BCELoss()
    optimizerD = optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
    optimizerG = optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))

    log = []
    for data, noise in zip(dataloader, noises):
        ############################
        # (1) Update D network: maximize log(D(x)) + log(1 - D(G(z)))
        ###########################
        netD.zero_grad()
        real = data.to(device)
        batch_size = real.size(0)
        label = torch.full((batch_size,), real_label, dtype=real.dtype, device=device)
        output = netD(real)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        fake = netG(noise.to(device))
        label.fill_(fake_label)
        output = netD(fake.detach())
        errD_fake = criterion(output, label)
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        ############################
        # (2) Update G network: maximize log(D(G(z)))
        ###########################
        netG.zero_grad()
        label.fill_(real_label)
        output = netD(fake)
        errG = criterion(output, label)
        errG.backward()
        optimizerG.step()

        print("Loss_D: %.4f Loss_G: %.4f D(x): %.4f" % (errD.item(), errG.item(), D_x))
        log.append((errD.item(), errG.item(), D_x))
    return log


if __name__ == "__main__":
    from torch.utils.data import DataLoader
    from torchvision import datasets, transforms

    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    transform = transforms.Compose([transforms.Resize(16), transforms.ToTensor(), transforms.Normalize(0.5, 0.5)])
    mnist = datasets.MNIST("data", download=True, transform=transform)
    images = (image for image, _ in DataLoader(mnist, batch_size=64, shuffle=True, drop_last=True))
    noises = (torch.randn(64, nz, 1, 1) for _ in range(len(mnist) // 64))
    netG, netD = create(device)
    train(netG, netD, images, noises)
    torch.save(netG.state_dict(), "netG.pth")
