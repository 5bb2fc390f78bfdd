def TorchZeroRedundancyOptimizer(
    params,
    optimizer_class,
    process_group=None,
    parameters_as_bucket_view=False,
    overlap_with_ddp=False,
    **defaults,
):
    """PyTorch's ZeroRedundancyOptimizer with whole states in every process: the same steps, more memory."""
    return optimizer_class(params, **defaults)
