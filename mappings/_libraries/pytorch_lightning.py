"""The parts of PyTorch Lightning that this project uses beside its trainer: what only the first of several processes
does, and seeds."""

import functools
import logging
import os
import random
import warnings

import numpy as np
import torch

WHERE = {
    "pytorch_lightning": "seed_everything",
    "pytorch_lightning.utilities": "rank_zero_debug rank_zero_info rank_zero_only rank_zero_warn",
    "pytorch_lightning.utilities.distributed": "rank_zero_debug rank_zero_info rank_zero_only rank_zero_warn",
    "pytorch_lightning.utilities.rank_zero": "rank_zero_debug rank_zero_info rank_zero_only rank_zero_warn",
    "pytorch_lightning.utilities.seed": "seed_everything",
}

RANKS = ("RANK", "LOCAL_RANK", "SLURM_PROCID", "JSM_NAMESPACE_RANK")


def process_rank():
    """The number of this process, as whatever started it says; 0 where it is alone."""
    return next((int(os.environ[name]) for name in RANKS if name in os.environ), 0)


def rank_zero_only(fn, default=None):
    """The function, which does nothing and gives `default` in all processes but the first."""

    @functools.wraps(fn)
    def called(*arguments, **options):
        return fn(*arguments, **options) if process_rank() == 0 else default

    return called


@rank_zero_only
def rank_zero_debug(*arguments, stacklevel=4, **options):
    """Log a message for those who look for errors, in the first process."""
    logging.getLogger(__name__).debug(*arguments, stacklevel=stacklevel, **options)


@rank_zero_only
def rank_zero_info(*arguments, stacklevel=4, **options):
    """Log a message, in the first process."""
    logging.getLogger(__name__).info(*arguments, stacklevel=stacklevel, **options)


@rank_zero_only
def rank_zero_warn(message, stacklevel=4, **options):
    """Warn of something, in the first process."""
    warnings.warn(message, stacklevel=stacklevel, **options)


def seed_everything(seed=None, workers=False):
    """Seed the generators of Python, NumPy and torch, and give the seed; without one, that of an earlier call, or 0."""
    seed = int(os.environ.get("PL_GLOBAL_SEED", 0) if seed is None else seed)
    os.environ["PL_GLOBAL_SEED"] = str(seed)
    os.environ["PL_SEED_WORKERS"] = str(int(workers))
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    return seed
