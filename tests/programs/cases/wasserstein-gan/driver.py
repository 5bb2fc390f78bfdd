import argparse

import numpy as np
import torch
import torch.optim as optim
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

import models.dcgan as dcgan
import models.mlp as mlp

opt = argparse.Namespace(
    imageSize=32, batchSize=4, nz=8, nc=3, ngf=16, ndf=8, ngpu=1, n_extra_layers=1, lrD=0.00005, lrG=0.00005,
    clamp_lower=-0.01, clamp_upper=0.01, Diters=2, niter=1,
)  # fmt: skip


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        m.weight.data.normal_(0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        m.weight.data.normal_(1.0, 0.02)
        m.bias.data.fill_(0)


def nets():
    netG = dcgan.DCGAN_G(opt.imageSize, opt.nz, opt.nc, opt.ngf, opt.ngpu, opt.n_extra_layers)
    netG.apply(weights_init)
    netD = dcgan.DCGAN_D(opt.imageSize, opt.nz, opt.nc, opt.ndf, opt.ngpu, opt.n_extra_layers)
    netD.apply(weights_init)
    return netG, netD


def build():
    netG, netD = nets()
    return (
        netG,
        netD,
        mlp.MLP_G(opt.imageSize, opt.nz, opt.nc, opt.ngf, opt.ngpu),
        mlp.MLP_D(opt.imageSize, opt.nz, opt.nc, opt.ndf, opt.ngpu),
    )


def init():
    torch.manual_seed(1)
    netG, netD = nets()
    return {"generator": netG.main[0].weight, "critic": netD.main[5].weight}


def pictures(seed, count):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (count, 3, 32, 32)).astype("float32"))


def noises(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(opt.batchSize, opt.nz, 1, 1).astype("float32"))


def forward(netG, netD, mlpG, mlpD):
    for net in (netG, netD, mlpG, mlpD):
        net.eval()
    return {
        "fake": netG(noises(0)),
        "score": netD(pictures(0, 4)),
        "mlp_fake": lambda: mlpG(noises(1)),
        "mlp_score": lambda: mlpD(pictures(1, 4)),
    }


def train(netG, netD, mlpG, mlpD):
    """The loop of main.py, with noise that is made up here."""
    for net in (netG, netD):
        net.train()
    dataloader = DataLoader(
        TensorDataset(pictures(2, 24), torch.zeros(24)), batch_size=opt.batchSize, shuffle=False, num_workers=0
    )
    seeds = iter(range(100, 200))

    input = torch.FloatTensor(opt.batchSize, 3, opt.imageSize, opt.imageSize)
    noise = torch.FloatTensor(opt.batchSize, opt.nz, 1, 1)
    one = torch.FloatTensor([1])
    mone = one * -1

    optimizerD = optim.RMSprop(netD.parameters(), lr=opt.lrD)
    optimizerG = optim.RMSprop(netG.parameters(), lr=opt.lrG)

    losses = []
    gen_iterations = 0
    for epoch in range(opt.niter):
        data_iter = iter(dataloader)
        i = 0
        while i < len(dataloader):
            ############################
            # (1) Update D network
            ###########################
            for p in netD.parameters():  # reset requires_grad
                p.requires_grad = True  # they are set to False below in netG update

            j = 0
            while j < opt.Diters and i < len(dataloader):
                j += 1

                # clamp parameters to a cube
                for p in netD.parameters():
                    p.data.clamp_(opt.clamp_lower, opt.clamp_upper)

                data = next(data_iter)
                i += 1

                # train with real
                real_cpu, _ = data
                netD.zero_grad()
                batch_size = real_cpu.size(0)

                input.resize_as_(real_cpu).copy_(real_cpu)
                inputv = Variable(input)

                errD_real = netD(inputv)
                errD_real.backward(one)

                # train with fake
                noise.resize_(opt.batchSize, opt.nz, 1, 1).copy_(noises(next(seeds)))
                with torch.no_grad():
                    noisev = Variable(noise)  # totally freeze netG
                fake = Variable(netG(noisev).data)
                inputv = fake
                errD_fake = netD(inputv)
                errD_fake.backward(mone)
                errD = errD_real - errD_fake
                optimizerD.step()

            ############################
            # (2) Update G network
            ###########################
            for p in netD.parameters():
                p.requires_grad = False  # to avoid computation
            netG.zero_grad()
            # in case our last batch was the tail batch of the dataloader,
            # make sure we feed a full batch of noise
            noise.resize_(opt.batchSize, opt.nz, 1, 1).copy_(noises(next(seeds)))
            noisev = Variable(noise)
            fake = netG(noisev)
            errG = netD(fake)
            errG.backward(one)
            optimizerG.step()
            gen_iterations += 1
            losses.append([errD.item(), errG.item(), errD_real.item(), errD_fake.item()])
    return {
        "losses": np.array(losses),
        "critic": netD.main[0].weight,
        "generator": netG.main[0].weight,
        "generator_last": netG.main[-2].weight,
    }
