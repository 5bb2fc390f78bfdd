class TorchCuBLASModule:
    """PyTorch's cuBLASModule: settings of products on GPUs, as they are without one."""

    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_fp16_reduced_precision_reduction_split_k = True
    allow_bf16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction_split_k = True
    allow_fp16_accumulation = False
    fp32_precision = "none"
