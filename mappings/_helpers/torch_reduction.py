def torch_reduction(size_average, reduce, reduction):
    """How a loss is reduced, by PyTorch's arguments for it: those of before PyTorch 1.0 count where one is passed."""
    if size_average is None and reduce is None:
        return "mean" if reduction == "elementwise_mean" else reduction
    return "none" if reduce is False else "sum" if size_average is False else "mean"
