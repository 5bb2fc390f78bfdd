import numpy


def torch_set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    """PyTorch's set_printoptions: tensors are printed by NumPy's rules, which have the same options but no profiles."""
    profiles = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, 2**31 - 1, 3, 80)}
    options = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    for name, value in zip(options, profiles.get(profile, ())):
        options[name] = value if options[name] is None else options[name]
    numpy.set_printoptions(**options, suppress=None if sci_mode is None else not sci_mode)
