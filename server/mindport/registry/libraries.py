"""Libraries that are not torch but stand on it: what each is, and where to look in MindSpore's world.

The advice names a place to start, not an equivalent: nobody has compared the two libraries call by call."""

from __future__ import annotations

import msgspec

from mindport.model.language import say, translated


class Library(msgspec.Struct, frozen=True):
    """One import root. `what` completes "it is ..."; `advice` says what to do about it."""

    root: str
    what: str
    advice: str

    def __str__(self) -> str:
        """Both in one line."""
        return say(
            "{root} is {what}. {advice}",
            root=self.root,
            what=translated(self.what),
            advice=translated(self.advice),
        )


_CUSTOM_OPERATORS = "Write the kernel with mindspore.ops.Custom, or compose it from mindspore.ops."
_TRAINER = "Write the loop with mindspore.value_and_grad, or use mindspore.train.Model."
_DISTRIBUTED = "Use mindspore.communication and msrun; sharding is mindspore.parallel."
_OPENMMLAB = "Port the model code itself; mindcv and mindyolo have common backbones and detectors."
_GRAPHS = "Gather and scatter with mindspore.ops (gather, tensor_scatter_add, unsorted_segment_sum)."
_FUSED_ATTENTION = "On Ascend use mindspore.ops.flash_attention_score; on CPU compose the attention."
_PORT = "Port the parts that are used; no counterpart is known."
_INFERENCE = "Serve the ported model with MindSpore's own tools; this one runs torch."

_ROWS: tuple[tuple[str, str, str], ...] = (
    ("timm", "a collection of torch image models", "mindcv has many of the same models for MindSpore."),
    ("transformers", "Hugging Face models", "mindnlp and mindone.transformers port many of them."),
    ("diffusers", "Hugging Face diffusion models", "mindone.diffusers ports many of them."),
    ("accelerate", "device placement and distributed training for torch", _DISTRIBUTED),
    ("peft", "adapters for Hugging Face models", "mindnlp has a port of the common adapters."),
    ("trl", "reinforcement learning for language models", _PORT),
    ("sentence_transformers", "text embeddings on transformers", "Pool the output of a mindnlp encoder."),
    ("bitsandbytes", "8-bit optimizers and layers for CUDA", _CUSTOM_OPERATORS),
    ("lightning", "a training loop around torch", _TRAINER),
    ("pytorch_lightning", "a training loop around torch", _TRAINER),
    ("lightning_fabric", "a training loop around torch", _TRAINER),
    ("ignite", "a training loop around torch", _TRAINER),
    ("fastai", "a training library on torch", _TRAINER),
    ("catalyst", "a training loop around torch", _TRAINER),
    ("torchmetrics", "metrics on torch tensors", "Use the metrics of mindspore.train, or numpy."),
    ("mmcv", "OpenMMLab's layers and CUDA operators", _OPENMMLAB),
    ("mmengine", "OpenMMLab's runner and registry", _OPENMMLAB),
    ("mmdet", "OpenMMLab's detectors", _OPENMMLAB),
    ("mmdet3d", "OpenMMLab's 3D detectors", _OPENMMLAB),
    ("mmseg", "OpenMMLab's segmentation models", _OPENMMLAB),
    ("mmcls", "OpenMMLab's classifiers", _OPENMMLAB),
    ("mmpretrain", "OpenMMLab's classifiers", _OPENMMLAB),
    ("mmpose", "OpenMMLab's pose models", _OPENMMLAB),
    ("mmocr", "OpenMMLab's text recognition", "mindocr has many of the same models for MindSpore."),
    ("mmrotate", "OpenMMLab's rotated detectors", _OPENMMLAB),
    ("detectron2", "detection models and operators", _OPENMMLAB),
    ("fvcore", "parts shared by Facebook's vision projects", "Port the few parts that are used."),
    ("iopath", "path handling of Facebook's vision projects", "Plain file access does the same."),
    ("ultralytics", "YOLO models on torch", "mindyolo has YOLO models for MindSpore."),
    ("segmentation_models_pytorch", "segmentation models on timm", "Port the decoder; mindcv has encoders."),
    ("kornia", "differentiable image operations", "Use mindspore.ops or mindspore.dataset.vision."),
    ("einops.layers.torch", "einops layers for torch",
     "einops 0.8 has no MindSpore backend: write the pattern with reshape, transpose and reductions."),
    ("einops", "tensor rearrangement by pattern",
     "einops 0.8 has no MindSpore backend: write the pattern with reshape, transpose and reductions."),
    ("apex", "NVIDIA's fused CUDA layers and mixed precision", "Use mindspore.amp and the plain layers."),
    ("flash_attn", "fused attention for CUDA", _FUSED_ATTENTION),
    ("xformers", "fused attention and building blocks for CUDA", _FUSED_ATTENTION),
    ("triton", "kernels for GPUs written in Python", _CUSTOM_OPERATORS),
    ("mamba_ssm", "state space models with CUDA kernels", _CUSTOM_OPERATORS),
    ("causal_conv1d", "a CUDA kernel", _CUSTOM_OPERATORS),
    ("deepspeed", "distributed training for torch", _DISTRIBUTED),
    ("megatron", "model parallel training for torch", _DISTRIBUTED),
    ("fairscale", "distributed training for torch", _DISTRIBUTED),
    ("horovod.torch", "distributed training for torch", _DISTRIBUTED),
    ("bagua", "distributed training for torch", _DISTRIBUTED),
    ("fairseq", "sequence models on torch", "Port the model code; mindnlp has the common sequence models."),
    ("torchtext", "text data for torch", "mindspore.dataset.text has vocabularies and tokenizers."),
    ("torchdata", "data loading for torch", "Use mindspore.dataset."),
    ("webdataset", "sharded data for torch loaders", "Feed it through mindspore.dataset.GeneratorDataset."),
    ("torch_scatter", "scatter operators in CUDA", _GRAPHS),
    ("torch_sparse", "sparse operators in CUDA", _GRAPHS),
    ("torch_cluster", "graph clustering in CUDA", _GRAPHS),
    ("torch_spline_conv", "a graph convolution in CUDA", _GRAPHS),
    ("torch_geometric", "graph networks on torch", _GRAPHS),
    ("dgl", "graph networks on several frameworks", _GRAPHS),
    ("torch_geometric_temporal", "graph networks over time", _GRAPHS),
    ("spconv", "sparse convolution in CUDA", _CUSTOM_OPERATORS),
    ("MinkowskiEngine", "sparse convolution in CUDA", _CUSTOM_OPERATORS),
    ("torchsparse", "sparse convolution in CUDA", _CUSTOM_OPERATORS),
    ("pytorch3d", "3D operators in CUDA", _CUSTOM_OPERATORS),
    ("tinycudann", "small fused networks in CUDA", _CUSTOM_OPERATORS),
    ("nerfacc", "volume rendering in CUDA", _CUSTOM_OPERATORS),
    ("gsplat", "Gaussian splatting in CUDA", _CUSTOM_OPERATORS),
    ("torchdiffeq", "ODE solvers on torch", _PORT),
    ("gpytorch", "Gaussian processes on torch", _PORT),
    ("botorch", "Bayesian optimization on torch", _PORT),
    ("pyro", "probabilistic programming on torch", "mindspore.nn.probability has distributions only."),
    ("torchrl", "reinforcement learning on torch", "mindrl does this for MindSpore."),
    ("tensordict", "dictionaries of tensors", "Use a plain dict of tensors."),
    ("stable_baselines3", "reinforcement learning on torch", "mindrl does this for MindSpore."),
    ("monai", "medical imaging on torch", _PORT),
    ("torchio", "medical image augmentation on torch", "Do it on numpy arrays in mindspore.dataset."),
    ("albumentations.pytorch", "the step from albumentations to torch tensors",
     "Drop ToTensorV2 and transpose the numpy array; albumentations itself works on numpy."),
    ("thop", "operation counts of torch models", _PORT),
    ("torchinfo", "summaries of torch models", "print(net) lists the cells of a MindSpore network."),
    ("torchsummary", "summaries of torch models", "print(net) lists the cells of a MindSpore network."),
    ("torchviz", "drawings of torch graphs", "No counterpart is known."),
    ("pytorch_msssim", "image similarity on torch tensors", "Use mindspore.nn.SSIM or mindspore.nn.MSSSIM."),
    ("lpips", "a perceptual loss on torchvision models", "Port the network and convert its weights."),
    ("clip", "OpenAI's CLIP", "mindone and mindnlp have CLIP models."),
    ("open_clip", "CLIP models on torch", "mindone and mindnlp have CLIP models."),
    ("vllm", "a language model server on torch", _INFERENCE),
    ("sglang", "a language model server on torch", _INFERENCE),
    ("onnx2torch", "torch models from ONNX", "Write the network in MindSpore and convert the weights."),
    ("torchao", "quantization for torch", "No counterpart is known for CPU."),
    ("torchtune", "fine-tuning of language models on torch", _TRAINER),
    ("torch_xla", "torch on XLA devices", "Drop it: MindSpore chooses its device with mindspore.set_device."),
    ("intel_extension_for_pytorch", "torch on Intel devices", "Drop it: MindSpore does without."),
    ("torch_tensorrt", "compiling torch with TensorRT", _INFERENCE),
    ("torch2trt", "compiling torch with TensorRT", _INFERENCE),
)  # fmt: skip

BUILT_ON_TORCH: dict[str, Library] = {root: Library(root, what, advice) for root, what, advice in _ROWS}


def library_of(dotted: str) -> Library | None:
    """The library built on torch that a dotted name belongs to, by its longest listed root; else None."""
    root = dotted
    while root:
        found = BUILT_ON_TORCH.get(root)
        if found is not None:
            return found
        root = root.rpartition(".")[0]
    return None


# Modules that cannot be imported where torch is missing.
_IMPORTING_TORCH = frozenset((
    "timm", "accelerate", "peft", "bitsandbytes", "lightning", "pytorch_lightning", "lightning_fabric", "ignite",
    "fastai", "catalyst", "torchmetrics", "mmengine", "mmdet", "mmdet3d", "mmseg", "mmcls", "mmpretrain", "mmpose",
    "mmrotate", "detectron2", "fvcore.common.checkpoint", "fvcore.nn", "segmentation_models_pytorch", "kornia",
    "apex", "flash_attn", "xformers", "mamba_ssm", "causal_conv1d", "deepspeed", "fairscale", "torchtext",
    "torchdata", "torch_scatter", "torch_sparse", "torch_cluster", "torch_spline_conv", "torch_geometric",
    "torch_geometric_temporal", "spconv", "MinkowskiEngine", "torchsparse", "pytorch3d", "tinycudann", "nerfacc",
    "gsplat", "torchdiffeq", "gpytorch", "botorch", "pyro", "torchrl", "stable_baselines3", "monai", "torchio",
    "albumentations.pytorch", "thop", "torchinfo", "torchsummary", "torchviz", "torchnet", "pytorch_msssim",
    "lpips", "open_clip", "safetensors.torch", "horovod.torch", "torch2trt", "torch_tensorrt",
))  # fmt: skip


def needs_torch(module: str) -> bool:
    """Whether the module of a library, by its dotted name, cannot be imported where torch is missing."""
    parts = module.split(".")
    return any(".".join(parts[:count]) in _IMPORTING_TORCH for count in range(1, len(parts) + 1))


# Functions and classes of such libraries that a helper of `mappings/_helpers/` stands for, arguments and all.
PORTED = {
    "einops.rearrange": "einops_transform",
    "einops.reduce": "einops_transform",
    "einops.repeat": "einops_transform",
    "einops.einsum": "einops_einsum",
    "einops.pack": "einops_pack",
    "einops.unpack": "einops_unpack",
    "einops.layers.torch.Rearrange": "EinopsLayer",
    "einops.layers.torch.Reduce": "EinopsLayer",
}
