import os
import pathlib


def torch_hub_home():
    """The folder where PyTorch keeps what it fetched."""
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return str(pathlib.Path(os.getenv("TORCH_HOME", f"{cache}/torch")).expanduser())
