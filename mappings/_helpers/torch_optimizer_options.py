def torch_optimizer_options(
    lacking=(), foreach=None, fused=None, capturable=False, differentiable=False, **options
):
    """The options of one of PyTorch's optimizers but for those that only choose how torch computes, and for those that
    MindSpore's is `lacking`, which nobody may switch on."""
    for name in lacking:
        if options.pop(name, False):
            raise NotImplementedError(f"MindSpore's optimizer has no {name}")
    return options
