import mindspore


def torch_checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, **options):
    """PyTorch's checkpoint, where its arguments are not seen: what is computed is forgotten and computed again."""
    kept = {name: value for name, value in options.items() if name not in ("determinism_check", "debug")}
    return mindspore.recompute(function, *args, use_reentrant=False, early_stop=False, **kept)
