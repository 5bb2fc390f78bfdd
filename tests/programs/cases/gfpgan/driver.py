import numpy as np
import torch
from torch.nn import functional as F

from gfpgan.archs.arcface_arch import Bottleneck, IRBlock, ResNetArcFace, SEBlock
from gfpgan.archs.gfpganv1_clean_arch import GFPGANv1Clean
from gfpgan.archs.restoreformer_arch import RestoreFormer
from gfpgan.archs.stylegan2_clean_arch import StyleGAN2GeneratorClean

SIZE = 16


def build():
    return (
        GFPGANv1Clean(
            SIZE, num_style_feat=16, channel_multiplier=1, fix_decoder=False, num_mlp=2, input_is_latent=True,
            different_w=True, narrow=0.0625, sft_half=True,
        ),
        StyleGAN2GeneratorClean(SIZE, num_style_feat=16, num_mlp=2, channel_multiplier=1, narrow=0.0625),
        ResNetArcFace(IRBlock, [1, 1, 1, 1], use_se=True),
        RestoreFormer(
            n_embed=12, embed_dim=16, ch=32, out_ch=3, ch_mult=(1, 2, 2), num_res_blocks=1, attn_resolutions=(8,),
            dropout=0.0, in_channels=3, resolution=32, z_channels=32, double_z=False, enable_mid=True,
            fix_decoder=False, fix_codebook=True, head_size=4,
        ),
    )  # fmt: skip


def init():
    torch.manual_seed(1)
    net = StyleGAN2GeneratorClean(8, num_style_feat=32, num_mlp=2, channel_multiplier=1, narrow=0.0625)
    return {"mlp": net.style_mlp[1].weight, "conv": net.style_conv1.modulated_conv.weight, "constant": net.constant_input.weight}


def images(seed, size=SIZE, channels=3, count=2):
    return torch.from_numpy(
        np.random.RandomState(seed).uniform(-1, 1, (count, channels, size, size)).astype("float32")
    )


def styles(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, 16).astype("float32"))


def forward(restorer, generator, identity, former):
    for net in (restorer, generator, identity, former):
        net.eval()
    restored, rgbs = restorer(images(0), return_rgb=True, randomize_noise=False)

    def quantised():
        z_q, loss, (perplexity, encodings, indices, distances), hs = former.encode(images(4, 32))
        entry = former.quantize.get_codebook_entry(indices[:6, 0], (1, 2, 3, 16))
        return [former(images(4, 32))[0], z_q, loss, perplexity, encodings, distances, entry, hs["mid_atten"]]

    return {
        "restored": restored,
        "rgbs": rgbs,
        "latents": lambda: restorer(images(0), return_latents=True, randomize_noise=False)[1],
        "generated": lambda: generator([styles(0)], randomize_noise=False, return_latents=True),
        "mixed": lambda: generator([styles(0), styles(1)], inject_index=2, truncation=0.7, truncation_latent=0 * styles(2)[:1], randomize_noise=False)[0],
        "noise": lambda: [noise.shape[-1] for noise in generator.make_noise()],
        "identity": lambda: identity(images(1, 128, 1)),
        "quantised": quantised,
        "bottleneck": lambda: [Bottleneck.expansion, SEBlock(32)(images(3, 8, 32)).shape[1]],
    }


def gram(x):
    n, c, h, w = x.size()
    features = x.view(n, c, w * h)
    return features.bmm(features.transpose(1, 2)) / (c * h * w)


def gray(out, size=128):
    out_gray = 0.2989 * out[:, 0, :, :] + 0.5870 * out[:, 1, :, :] + 0.1140 * out[:, 2, :, :]
    return F.interpolate(out_gray.unsqueeze(1), (size, size), mode="bilinear", align_corners=False)


def train(restorer, generator, identity, former):
    """What GFPGANModel, which needs basicsr, does with its generator; and a step for each of the other nets."""
    restorer.train()
    identity.eval()
    for param in identity.parameters():
        param.requires_grad = False
    normal_params = []
    for _, param in restorer.named_parameters():
        normal_params.append(param)
    optimizer = torch.optim.Adam([{"params": normal_params, "lr": 2e-3}], 2e-3, betas=(0.0, 0.99))
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2], gamma=0.5)
    losses = {"pyramid": [], "identity": [], "generator": [], "codes": []}
    for step in range(3):
        gt, lq = images(10 + step), images(20 + step)
        optimizer.zero_grad()
        output, out_rgbs = restorer(lq, return_rgb=True, randomize_noise=False)
        pyramid_gt = [gt]
        down_img = gt
        for _ in range(0, restorer.log_size - 3):
            down_img = F.interpolate(down_img, scale_factor=0.5, mode="bilinear", align_corners=False)
            pyramid_gt.insert(0, down_img)
        l_g_total = 0
        l_g_total += 0.1 * F.l1_loss(output, gt)
        for i in range(0, restorer.log_size - 2):
            l_g_total += F.l1_loss(out_rgbs[i], pyramid_gt[i])
        l_g_total += F.l1_loss(gram(output), gram(gt.detach()))
        l_identity = F.l1_loss(identity(gray(output)), identity(gray(gt)).detach())
        l_g_total += l_identity
        l_g_total.backward()
        optimizer.step()
        scheduler.step()
        losses["pyramid"].append(l_g_total.item())
        losses["identity"].append(l_identity.item())

    optimizer_generator = torch.optim.Adam(generator.parameters(), lr=1e-3)
    former.train()
    optimizer_former = torch.optim.Adam([p for p in former.parameters() if p.requires_grad], lr=1e-4)
    for step in range(2):
        image, _ = generator([styles(step)], randomize_noise=False)
        loss = F.softplus(-image).mean()
        optimizer_generator.zero_grad()
        loss.backward()
        optimizer_generator.step()
        losses["generator"].append(loss.item())

        quant, codebook_loss, _, hs = former.encode(images(30 + step, 32))
        loss = F.mse_loss(former.decode(quant, hs), images(40 + step, 32)) + codebook_loss
        optimizer_former.zero_grad()
        loss.backward()
        optimizer_former.step()
        losses["codes"].append(loss.item())
    return {
        **losses,
        "sft": restorer.condition_scale[0][0].weight,
        "modulation": generator.style_convs[0].modulated_conv.modulation.weight,
        "attention": former.decoder.mid.attn_1.q.weight,
    }
