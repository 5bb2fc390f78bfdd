import logging

import numpy as np
import torch

import models.basicblock as B
from models.network_usrnet import cabs2, cconj, cdiv, cmul, r2c, splits
from models.network_usrnet_v1 import USRNet, downsample, p2o, upsample
from utils import utils_deblur, utils_image, utils_logger, utils_sisr

SMALL = {"n_iter": 2, "h_nc": 8, "in_nc": 4, "out_nc": 3, "nc": [4, 6, 8, 10], "nb": 1, "act_mode": "R"}


def build():
    plain = USRNet(**SMALL, downsample_mode="strideconv", upsample_mode="convtranspose")
    pooled = USRNet(**SMALL, downsample_mode="avgpool", upsample_mode="pixelshuffle")
    enlarged = USRNet(**SMALL, downsample_mode="strideconv", upsample_mode="upconv")
    attention = B.sequential(
        B.RCABlock(6, 6, reduction=2), B.RRDB(6, gc=4), B.ResBlock(6, 6, mode="CLC"), B.NonLocalBlock2D(6)
    )
    return plain, pooled, enlarged, attention


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def kernel(size=7):
    made = utils_deblur.fspecial("gaussian", size, 1.6)
    return torch.from_numpy(np.stack([made, np.roll(made, 1, axis=0)])[:, None].astype("float32"))


def images(seed, size=10):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, size, size - 2).astype("float32"))


def noise():
    return torch.tensor([0.02, 0.05]).view(2, 1, 1, 1)


def parts(values):
    return torch.view_as_real(values)


def joined(outputs):
    return torch.cat([one.reshape(-1) for one in outputs])


def by_hand():
    """The arithmetic of the version for old releases of torch, without its transforms."""
    a, b = numbers(1, 2, 3, 4, 6, 2), numbers(2, 2, 3, 4, 6, 2)
    conjugate = cconj(a, inplace=False)
    return joined([splits(a, 2), conjugate, cdiv(a, b), cmul(conjugate, b), cabs2(a), r2c(a[..., 0]), a])


def solved():
    blur, y, z = kernel()[:1].repeat(3, 1, 1, 1), images(4), torch.rand(2, 3, 20, 16) * 0 + 0.5
    return utils_sisr.G(z, blur, sf=2) - y, utils_sisr.Gt(y, blur, sf=2)


def circular(wide):
    return utils_sisr.pad_circular(wide, (2, 1)), utils_sisr.circular_pad(wide, 2)


def pictures():
    picture = (np.random.RandomState(3).rand(12, 10, 3) * 255).astype("uint8")
    tensor = utils_image.uint2tensor4(picture)
    return [
        utils_image.imresize(tensor[0], 0.5).numpy(),
        utils_image.imresize_np(np.float32(picture / 255.0), 2.0),
        utils_image.tensor2uint(tensor).astype("float32"),
        utils_image.augment_img_tensor(tensor, mode=3).numpy(),
        utils_image.rgb2ycbcr(picture).astype("float32"),
        np.array([utils_image.calculate_psnr(picture, picture[::-1], border=2)]),
        utils_image.modcrop(picture, 4),
        np.float32(utils_image.single2tensor5(np.float32(picture)[..., None]).shape),
    ]


def forward(plain, pooled, enlarged, attention):
    for net in (plain, pooled, enlarged, attention):
        net.eval()
    return {
        "plain": lambda: plain(images(0), kernel(), 2, noise()),
        "three": lambda: plain(images(1, 6), kernel(), 3, noise()),
        "pooled": lambda: pooled(images(2), kernel(), 2, noise()),
        "enlarged": lambda: enlarged(images(3), kernel(), 2, noise()),
        "attention": lambda: attention(numbers(4, 2, 6, 8, 8)),
        "transfer": lambda: parts(p2o(kernel(), (16, 12))),
        "up": lambda: upsample(images(5), 3),
        "down": lambda: downsample(images(6), 2),
        "by_hand": by_hand,
        "filtered": lambda: utils_sisr.imfilter(images(7), kernel()[1:].repeat(3, 1, 1, 1)),
        "padded": lambda: joined(circular(images(8))),
        "solved": lambda: joined(solved()),
        "shrunk": lambda: utils_sisr.interpolation_down(images(9), 2)[0],
        "pictures": lambda: np.concatenate([np.ravel(one) for one in pictures()]),
        "blur": lambda: utils_sisr.gm_blur_kernel([0, 0], np.array([[4.0, 1.0], [1.0, 3.0]]), size=7),
        "transfer_np": lambda: np.abs(utils_sisr.psf2otf(kernel()[0, 0].numpy(), [16, 12])),
        "boundary": lambda: utils_deblur.wrap_boundary_liu(images(1)[0, 0].numpy(), [12, 12]),
    }


def learn(net, sf, optimizer, scheduler):
    """The repository tests only; these are the steps that its paper gives."""
    losses = []
    criterion = torch.nn.L1Loss()
    for step in range(3):
        high = torch.nn.functional.interpolate(images(20 + step), scale_factor=sf, mode="bicubic", align_corners=False)
        low = utils_sisr.G(high, kernel()[:1].repeat(3, 1, 1, 1), sf=sf)
        optimizer.zero_grad()
        loss = criterion(net(low, kernel(), sf, noise()), high)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def train(plain, pooled, enlarged, attention):
    utils_logger.logger_info("usrnet", log_path="usrnet.log")
    results = {}
    for name, net, sf in (("plain", plain, 2), ("pooled", pooled, 2), ("enlarged", enlarged, 3)):
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)
        scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1, 2], gamma=0.5)
        results[name + "_losses"] = learn(net, sf, optimizer, scheduler)
    torch.save(plain.state_dict(), "usrnet.pth")
    again = USRNet(**SMALL, downsample_mode="strideconv", upsample_mode="convtranspose")
    again.load_state_dict(torch.load("usrnet.pth"), strict=True)
    for _, value in again.named_parameters():
        value.requires_grad = False
    logging.getLogger("usrnet").info("Params number: {}".format(sum(map(lambda x: x.numel(), again.parameters()))))
    return {
        **results,
        "head": plain.p.m_head.weight,
        "hyper": plain.h.mlp[4].weight,
        "up": pooled.p.m_up1[0].weight,
        "down": enlarged.p.m_down2[1].weight,
        "again": again.p.m_tail.weight,
        "count": sum(map(lambda x: x.numel(), again.parameters())),
    }
