import copy
import glob
import os
from functools import partial

import cv2
import numpy as np
import torch
import torch.nn as nn
import torchvision.transforms as transforms
from PIL import Image

import util.misc as misc
from diffusion import create_diffusion
from engine_mar import cache_latents, evaluate, train_one_epoch
from main_mar import get_args_parser
from models.mar import MAR, mask_by_order
from models.vae import AutoencoderKL
from util.crop import center_crop_arr
from util.loader import CachedFolder, ImageFolderWithFilename
from util.misc import NativeScalerWithGradNormCount as NativeScaler

CLASSES, SIZE, LATENT = 3, 16, 4

args = get_args_parser().parse_args(
    ["--img_size", str(SIZE), "--vae_embed_dim", str(LATENT), "--vae_stride", "4", "--class_num", str(CLASSES),
     "--batch_size", "3", "--epochs", "3", "--warmup_epochs", "1", "--lr", "1e-3", "--lr_schedule", "cosine",
     "--grad_clip", "1.0", "--ema_rate", "0.8", "--num_iter", "3", "--num_images", "3", "--temperature", "0.0",
     "--num_sampling_steps", "5", "--label_drop_prob", "0.0", "--device", "cpu", "--use_cached"]
)  # fmt: skip


def mar(**options):
    return MAR(
        img_size=SIZE, vae_stride=4, vae_embed_dim=LATENT, class_num=CLASSES, encoder_embed_dim=32, encoder_depth=2,
        encoder_num_heads=4, decoder_embed_dim=24, decoder_depth=1, decoder_num_heads=3, mlp_ratio=2,
        norm_layer=partial(nn.LayerNorm, eps=1e-6), attn_dropout=0.0, proj_dropout=0.0, label_drop_prob=0.0,
        buffer_size=3, diffloss_d=2, diffloss_w=16, num_sampling_steps="5", diffusion_batch_mul=2, **options,
    )  # fmt: skip


def build():
    return mar(), AutoencoderKL(embed_dim=LATENT, ch_mult=(1, 1, 2))


def init():
    torch.manual_seed(0)
    net = MAR(img_size=64, vae_stride=4, encoder_embed_dim=128, encoder_depth=1, decoder_embed_dim=64, decoder_depth=1,
              encoder_num_heads=4, decoder_num_heads=4, diffloss_d=1, diffloss_w=64)  # fmt: skip
    return {
        "class_emb": net.class_emb.weight,
        "fake_latent": net.fake_latent,
        "z_proj": net.z_proj.weight,
        "time": net.diffloss.net.time_embed.mlp[0].weight,
        "adaln": net.diffloss.net.res_blocks[0].adaLN_modulation[-1].weight,
    }


def images(seed, count=3):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (count, 3, SIZE, SIZE)).astype("float32"))


def latents(seed, count=3):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, LATENT, 4, 4).astype("float32"))


def seeded(function, seed=4):
    np.random.seed(seed)
    return function()


def forward(net, vae):
    net.eval()
    vae.eval()
    labels = torch.tensor([0, 2, 1])
    orders = seeded(lambda: net.sample_orders(3))
    diffusion = create_diffusion(timestep_respacing="ddim4", noise_schedule="linear", rescale_learned_sigmas=True)
    condition = torch.from_numpy(np.random.RandomState(8).randn(6, 24).astype("float32"))
    start = torch.from_numpy(np.random.RandomState(9).randn(6, LATENT).astype("float32"))
    ddim = partial(
        diffusion.ddim_sample_loop, net.diffloss.net, start.shape, start, clip_denoised=True,
        model_kwargs={"c": condition},
    )  # fmt: skip
    posterior = vae.encode(images(0))
    return {
        "loss": seeded(lambda: net(latents(1), labels)),
        "orders": orders,
        "mask": mask_by_order(torch.tensor([5.0]), orders, 3, net.seq_len),
        "moments": posterior.parameters,
        "kl": posterior.kl(),
        "nll": posterior.nll(posterior.mode()),
        "decoded": vae.decode(posterior.sample()),
        "patches": lambda: net.unpatchify(net.patchify(latents(2))),
        "sampled": lambda: seeded(lambda: net.sample_tokens(2, num_iter=4, labels=labels[:2], temperature=0.0)),
        "guided": lambda: seeded(
            lambda: net.sample_tokens(2, num_iter=4, cfg=2.5, labels=labels[:2], temperature=0.0)
        ),
        "constant": lambda: seeded(
            lambda: net.sample_tokens(2, num_iter=3, cfg=1.5, cfg_schedule="constant", temperature=0.0)
        ),
        "ddim": lambda: ddim(),
    }


def cached(vae):
    """A folder of images, and what the autoencoder makes of them."""
    for label in range(CLASSES):
        os.makedirs("images/train/class%d" % label, exist_ok=True)
        for number in range(3):
            pixels = np.random.RandomState(10 * label + number).randint(0, 255, (40, 36, 3)).astype("uint8")
            Image.fromarray(pixels).save("images/train/class%d/%d.png" % (label, number))
    transform = transforms.Compose([
        transforms.Lambda(lambda pil_image: center_crop_arr(pil_image, SIZE)),
        transforms.ToTensor(),
        transforms.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
    ])
    data = ImageFolderWithFilename("images/train", transform=transform)
    args.cached_path = "latents"
    loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=False, drop_last=False)
    cache_latents(vae, loader, torch.device("cpu"), args)
    return CachedFolder(args.cached_path)


def epochs(net, vae, data, result, name, first=0, optimizer_state=None):
    optimizer = torch.optim.AdamW(misc.add_weight_decay(net, args.weight_decay), lr=args.lr, betas=(0.9, 0.95))
    if optimizer_state is not None:
        optimizer.load_state_dict(optimizer_state)
    scaler = NativeScaler()
    model_params = list(net.parameters())
    ema_params = copy.deepcopy(model_params)
    loader = torch.utils.data.DataLoader(data, batch_size=args.batch_size, shuffle=False, drop_last=True)
    for epoch in range(first, 2):
        np.random.seed(epoch)
        stats = train_one_epoch(
            net, vae, model_params, ema_params, loader, optimizer, torch.device("cpu"), epoch, scaler, args=args
        )
        result[f"{name}_loss_{epoch}"], result[f"{name}_lr_{epoch}"] = stats["loss"], stats["lr"]
    result[name + "_ema"] = ema_params[1].clone()
    result[name + "_token"] = net.mask_token.clone()
    result[name + "_class"] = net.class_emb.weight.clone()
    result[name + "_last"] = net.diffloss.net.final_layer.linear.weight.clone()
    return optimizer, scaler, ema_params


def shown(result, name, net, vae, ema_params, cfg):
    np.random.seed(7)
    evaluate(net, vae, ema_params, args, 0, batch_size=3, cfg=cfg, use_ema=True)
    files = sorted(glob.glob(os.path.join(args.output_dir, "*cfg%s-*" % cfg, "*.png")))
    result[name + "_images"] = np.stack([cv2.imread(file).astype("float32").mean((0, 1)) for file in files])


def train(net, vae):
    result = {}
    vae.eval()
    data = cached(vae)
    result["cached"] = np.stack([data[i][0] for i in range(len(data))])
    for param in vae.parameters():
        param.requires_grad = False
    args.output_dir = "output"
    os.makedirs(args.output_dir, exist_ok=True)
    args.use_cached = True
    optimizer, scaler, ema_params = epochs(net, vae, data, result, "cached")
    misc.save_model(args, 0, net, net, optimizer, scaler, ema_params=ema_params, epoch_name="last")
    shown(result, "plain", net, vae, ema_params, 1.0)
    shown(result, "guided", net, vae, ema_params, 3.0)
    result["after_evaluation"] = net.z_proj.weight.clone()

    checkpoint = torch.load("output/checkpoint-last.pth", map_location="cpu", weights_only=False)
    again = mar(grad_checkpointing=True)
    again.load_state_dict(checkpoint["model"])
    result["saved_ema"] = checkpoint["model_ema"]["z_proj.weight"]
    args.use_cached = False
    pairs = [(images(20 + i, 1)[0], i % CLASSES) for i in range(6)]
    epochs(again, vae, pairs, result, "resumed", 1, checkpoint["optimizer"])
    return result
