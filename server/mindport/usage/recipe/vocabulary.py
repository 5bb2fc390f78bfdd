"""What the tricks of the trade are called in code: names of definitions and of settings, by kind. A row speaks for any
project; none is there for one alone."""

from __future__ import annotations

import re

import msgspec

from mindport.usage.recipe.entry import ChecklistTopic


class Term(msgspec.Struct, frozen=True):
    """A kind of code. `defined` matches names of functions and classes, `settings` names of settings; all names are
    compared in lower case, with CamelCase as camel_case. `beside` matches names of settings that say nothing alone
    and are listed with the others. With `adds` a class counts only if its `forward` adds something; with `of_modules`
    only if it is a module, or, where that is False, none."""

    topic: ChecklistTopic
    what: str
    defined: str = ""
    settings: str = ""
    beside: str = ""
    adds: bool = False
    of_modules: bool | None = None


_P, _A, _T = ChecklistTopic.STRUCTURE_POINTS, ChecklistTopic.AUGMENTATION, ChecklistTopic.TRICKS

TERMS: tuple[Term, ...] = (
    Term(_P, "CSPDarknet backbone", r"csp_?darknet"),
    Term(_P, "PAFPN neck", r"pafpn|pan_?fpn|path_?aggregation"),
    Term(_P, "FPN neck", r"(?<!pa)(?<!pa_)(?<!bi)fpn(?!_?loss)|feature_?pyramid"),
    Term(_P, "BiFPN neck", r"bi_?fpn"),
    Term(_P, "spatial pyramid pooling", r"^spp|_spp|spatial_?pyramid|^aspp|_aspp"),
    Term(_P, "SimOTA label assignment", r"sim_?ota"),
    Term(_P, "Hungarian matching", r"hungarian"),
    Term(_P, "deformable convolution or attention", r"deform(able)?_?(conv|attn|attention)|^dcn"),
    Term(_P, "squeeze and excitation", r"^se_?(block|layer|module)|squeeze_?excit"),
    Term(_P, "self-attention", r"self_?attention|self_?attn|multi_?head(ed)?_?(self_?)?att"),
    Term(_P, "transformer encoder", r"transformer_?encoder$"),
    Term(_P, "transformer decoder", r"transformer_?decoder$"),
    Term(
        _P,
        "sine position embedding",
        r"position_?(embedding|encoding)_?sin|sin(e|usoidal)_?pos|sinusoid(al)?_?(enc|emb)",
    ),
    Term(_P, "learned position embedding", r"position_?embedding_?learned|learned_?pos"),
    Term(_P, "U-Net", r"^u_?net"),
    Term(
        _P,
        "residual blocks",
        r"^(basic_?block|bottle_?neck|res(idual)?_?(block|layer|unit)|res_?bottleneck)",
        adds=True,
    ),
    Term(_P, "modulated convolution", r"modulated_?conv"),
    Term(_P, "equalised learning rate", r"^equal_?(linear|conv)"),
    Term(_P, "pixel normalisation", r"pixel_?norm"),
    Term(_P, "frozen batch normalisation", r"frozen_?(batch_?norm|bn)"),
    Term(_P, "noise injection", r"noise_?injection", of_modules=True),
    Term(_P, "actor and critic", r"actor_?critic|^critic$|^critic_?net|^actor_?net"),
    Term(_A, "Mosaic", r"mosaic", r"^mosaic_(prob|scale)$|^mosaic$"),
    Term(_A, "MixUp", r"mix_?up", r"^(enable_)?mix_?up(_prob|_scale|_alpha)?$"),
    Term(_A, "CutMix", r"cut_?mix", r"^cut_?mix(_prob|_alpha)?$"),
    Term(_A, "copy and paste", r"copy_?paste", r"^copy_?paste(_prob)?$"),
    Term(_A, "random erasing", r"cut_?out|random_?eras", r"^(cutout|reprob|random_erasing)$"),
    Term(_A, "colour jitter", r"hsv|color_?jitter|photo_?metric", r"^hsv_(prob|gain|h|s|v)$|^color_jitter$"),
    Term(_A, "random flip", r"(random|rand)_?\w*flip|_mirror$|^mirror", r"^(h|v)?_?flip_?(prob|lr|ud)?$"),
    Term(_A, "random affine or perspective", r"random_?(affine|perspective|rotat)", r"^(degrees|shear|translate)$"),
    Term(_A, "random crop", r"random_?(\w+_)?crop|(sampled|sample)_?crop"),
    Term(
        _A,
        "random resize (multi-scale)",
        r"random_?(resize(?!d)|rescale|scale(?!_?crop))|multi_?scale_?(train|resize|collate)",
        r"^(multi_?scale(_range|_train(ing)?)?|random_size)$",
    ),
    Term(_A, "random padding", r"random_?pad"),
    Term(_A, "random blur", r"(random|rand)_?(\w+_)?blur"),
    Term(_A, "random noise", r"(random|rand|add)_?(\w+_)?noise$|noise_?inject(ion|or)$", of_modules=False),
    Term(_A, "random contrast, brightness or lighting", r"random_?(brightness|contrast|lighting|gamma|hue|saturation)"),
    Term(_A, "adaptive discriminator augmentation", r"adaptive_?augment", r"^ada_(target|length|every)$"),
    Term(_A, "automatic augmentation", r"auto_?augment|rand_?augment|trivial_?augment|aug_?mix"),
    Term(_A, "masking of spectrograms", r"spec_?augment"),
    Term(_T, "no augmentation in the last epochs", "", r"^no_?aug(ment(ation)?)?_epochs?$|^close_mosaic$"),
    Term(_T, "gradient accumulation", "", r"^(grad(ient)?_)?accum(ulate|ulation)?(_grad)?(_steps?|_iters?|_batches)$"),
    Term(_T, "early stopping", r"early_?stop", r"^early_stop(ping)?(_patience)?$"),
    Term(_T, "gradient penalty", r"gradient_?penalty|grad_?penalty", r"^(lambda_gp|gp_weight|gp_lambda)$"),
    Term(_T, "R1 regularisation", r"(^|_)r1(_loss|_reg|_penalty)", r"^r1(_gamma)?$"),
    Term(_T, "path length regularisation", r"path_?(length_?)?regulari", r"^path_regularize$"),
    Term(_T, "lazy regularisation", "", r"^[dg]_reg_every$"),
    Term(_T, "style mixing", r"mixing_?noise|style_?mixing", r"^(style_)?mixing(_prob)?$"),
    Term(_T, "generalised advantage estimation", r"(^|_)gae(_|$)", r"^(use_gae|gae_lambda|gae)$"),
    Term(
        _T,
        "clipped policy objective (PPO)",
        r"^ppo(_loss|_agent)?$",
        r"^(clip_(param|coef|range|eps(ilon)?)|eps_clip|ppo_(clip|epochs?))$",
        r"^((k|update)_epochs?|clip_ratio|clip_v(alue_)?loss)$",
    ),
    Term(_T, "advantage actor-critic (A2C)", r"^a2c"),
    Term(_T, "natural gradient by Kronecker factors", r"kfac|acktr"),
    Term(_T, "adversarial imitation", r"(^|_)gail(_|$)"),
    Term(_T, "entropy bonus", "", r"^(entropy|ent)_(coef|beta|weight)$"),
    Term(_T, "normalised observations", r"vec_?normalize|running_?mean_?std"),
    Term(_T, "replay memory", r"replay_?(buffer|memory)"),
    Term(_T, "target network", "", r"^(target_(update|network_frequency|update_interval)|tau)$"),
    Term(_T, "label smoothing", r"label_?smooth", r"^(label_)?smoothing$"),
    Term(_T, "stochastic depth", r"drop_?path|stochastic_?depth", r"^drop_?path(_rate)?$"),
    Term(_T, "auxiliary losses", "", r"^aux_loss$"),
    Term(_T, "synchronised batch normalisation", "", r"^sync_?bn$"),
    Term(_T, "knowledge distillation", r"distill"),
)  # fmt: skip


def plain_name(name: str) -> str:
    """A name as the terms are written: MosaicDetection is mosaic_detection, YOLOPAFPN is yolopafpn."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return spaced.lower().lstrip("_") if not name.startswith("_mirror") else spaced.lower()
