"""The parts of accelerate that this project uses, for one process. Arguments, defaults and results are those of
accelerate; what a part leaves out raises."""

import contextlib
import logging
import os
import random
import types
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

WHERE = {
    "accelerate": "Accelerator DistributedDataParallelKwargs DistributedType InitProcessGroupKwargs skip_first_batches",
    "accelerate.data_loader": "skip_first_batches",
    "accelerate.logging": "get_logger",
    "accelerate.utils": "DistributedDataParallelKwargs DistributedType InitProcessGroupKwargs ProjectConfiguration"
    " set_seed",
    "accelerate.utils.random": "set_seed",
}


class DistributedType:
    """How several processes work together; here there is one."""

    NO = "NO"


# Settings of copies in other processes and of how those meet: there is one.
DistributedDataParallelKwargs = types.SimpleNamespace
InitProcessGroupKwargs = types.SimpleNamespace


def ProjectConfiguration(project_dir=None, logging_dir=None, **settings):
    """Where a project keeps what it writes."""
    return types.SimpleNamespace(project_dir=project_dir, logging_dir=logging_dir or project_dir, **settings)


def set_seed(seed, device_specific=False, deterministic=False):
    """Set the seeds of Python, NumPy and torch."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class ProcessLogger(logging.LoggerAdapter):
    """A logger that is told which processes a message is for."""

    def process(self, msg, kwargs):
        for name in ("main_process_only", "in_order"):
            kwargs.pop(name, None)
        return msg, kwargs


def get_logger(name, log_level=None):
    """A logger that takes `main_process_only`."""
    logger = logging.getLogger(name)
    if log_level is not None:
        logger.setLevel(log_level.upper())
    return ProcessLogger(logger, {})


def skip_first_batches(dataloader, num_batches=0):
    """The batches of a loader behind the first ones."""
    return SkippedBatches(dataloader, num_batches)


class SkippedBatches:
    """A loader without its first batches."""

    def __init__(self, loader, count):
        self.loader, self.count = loader, count
        self.dataset = loader.dataset

    def __iter__(self):
        for number, batch in enumerate(self.loader):
            if number >= self.count:
                yield batch

    def __len__(self):
        return max(0, len(self.loader) - self.count)


class PreparedLoader:
    """A loader that tells the accelerator which batch is its last."""

    def __init__(self, loader, accelerator):
        self.loader, self.accelerator = loader, accelerator
        self.dataset, self.batch_size = loader.dataset, loader.batch_size

    def __iter__(self):
        self.accelerator.is_last_batch = False
        held = []
        for batch in self.loader:
            if held:
                yield held.pop()
            held.append(batch)
        self.accelerator.is_last_batch = True
        yield from held

    def __len__(self):
        return len(self.loader)


class PreparedOptimizer:
    """An optimizer that steps where gradients are not added up further."""

    def __init__(self, optimizer, accelerator):
        self.optimizer, self.accelerator = optimizer, accelerator

    @property
    def param_groups(self):
        return self.optimizer.param_groups

    @property
    def state(self):
        return self.optimizer.state

    def state_dict(self):
        return self.optimizer.state_dict()

    def load_state_dict(self, state_dict):
        self.optimizer.load_state_dict(state_dict)

    def zero_grad(self, set_to_none=None):
        if self.accelerator.sync_gradients:
            self.optimizer.zero_grad()

    def step(self, closure=None):
        if self.accelerator.sync_gradients:
            self.optimizer.step()


class PreparedScheduler:
    """A schedule that goes on where its optimizer steps."""

    def __init__(self, scheduler, accelerator):
        self.scheduler, self.accelerator = scheduler, accelerator

    def step(self, *values):
        if self.accelerator.sync_gradients or not self.accelerator.step_scheduler_with_optimizer:
            self.scheduler.step(*values)

    def get_last_lr(self):
        return self.scheduler.get_last_lr()

    def state_dict(self):
        return self.scheduler.state_dict()

    def load_state_dict(self, state_dict):
        self.scheduler.load_state_dict(state_dict)


class Accelerator:
    """What a training loop asks for devices, processes and gradients that add up, for one process."""

    def __init__(
        self,
        device_placement=True,
        split_batches=False,
        mixed_precision=None,
        gradient_accumulation_steps=1,
        cpu=False,
        log_with=None,
        project_dir=None,
        project_config=None,
        step_scheduler_with_optimizer=True,
        kwargs_handlers=None,
        **settings,
    ):
        self.mixed_precision = str(mixed_precision or os.environ.get("ACCELERATE_MIXED_PRECISION", "no"))
        if self.mixed_precision != "no":
            raise NotImplementedError(
                "mixed precision is left out: accelerate computes in the network's own dtype"
            )
        self.device = torch.device("cuda" if torch.cuda.is_available() and not cpu else "cpu")
        self.gradient_accumulation_steps = int(gradient_accumulation_steps)
        self.step_scheduler_with_optimizer = step_scheduler_with_optimizer
        self.split_batches, self.device_placement = split_batches, device_placement
        self.project_dir = project_dir or (project_config.project_dir if project_config is not None else None)
        self.num_processes, self.process_index, self.local_process_index = 1, 0, 0
        self.is_main_process = self.is_local_main_process = self.is_last_process = True
        self.use_distributed, self.distributed_type = False, DistributedType.NO
        self.sync_gradients, self.optimizer_step_was_skipped = True, False
        self.is_last_batch, self.batches = False, 0
        self.trackers, self.scaler, self.flag = [], None, False
        self.models, self.optimizers, self.states = [], [], []
        self.state = self

    def prepare(self, *objects, device_placement=None):
        """The objects, networks on the device; one alone is given back alone."""
        prepared = tuple(self.prepare_one(one) for one in objects)
        return prepared if len(prepared) > 1 else prepared[0]

    def prepare_one(self, one):
        adds_up = self.gradient_accumulation_steps > 1
        if isinstance(one, DataLoader):
            return PreparedLoader(one, self) if adds_up else one
        if hasattr(one, "param_groups"):
            self.optimizers.append(one)
            return PreparedOptimizer(one, self) if adds_up else one
        if hasattr(one, "get_last_lr"):
            self.states.append(one)
            return PreparedScheduler(one, self) if adds_up else one
        if isinstance(one, nn.Module):
            self.models.append(one)
            return one.to(self.device)
        return one

    def prepare_model(self, model, device_placement=None, evaluation_mode=False):
        return self.prepare_one(model)

    def prepare_optimizer(self, optimizer, device_placement=None):
        return self.prepare_one(optimizer)

    def prepare_scheduler(self, scheduler):
        return self.prepare_one(scheduler)

    def prepare_data_loader(self, data_loader, device_placement=None):
        return self.prepare_one(data_loader)

    def unwrap_model(self, model, keep_fp32_wrapper=True):
        return model

    def backward(self, loss, retain_graph=False):
        """Add up the gradients of a loss, by its share of the batches that add up."""
        if self.gradient_accumulation_steps > 1:
            loss = loss / self.gradient_accumulation_steps
        loss.backward(retain_graph=retain_graph)

    @contextlib.contextmanager
    def accumulate(self, *models):
        """One batch of several that add up: optimizers step behind the last of them, or the last of a loader."""
        if self.is_last_batch:
            self.batches, self.sync_gradients = 0, True
        else:
            self.batches += 1
            self.sync_gradients = self.batches % self.gradient_accumulation_steps == 0
        yield

    def clip_grad_norm_(self, parameters, max_norm, norm_type=2):
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type=norm_type)

    def clip_grad_value_(self, parameters, clip_value):
        torch.nn.utils.clip_grad_value_(parameters, clip_value)

    def unscale_gradients(self, optimizer=None):
        """Gradients are not scaled here."""

    def autocast(self, **settings):
        return contextlib.nullcontext()

    def no_sync(self, model):
        return contextlib.nullcontext()

    def join_uneven_inputs(self, joinables, even_batches=None):
        return contextlib.nullcontext()

    def main_process_first(self):
        return contextlib.nullcontext()

    def local_main_process_first(self):
        return contextlib.nullcontext()

    def on_main_process(self, function=None):
        return function if function is not None else self.on_main_process

    def on_local_main_process(self, function=None):
        return function if function is not None else self.on_local_main_process

    def gather(self, tensor):
        return tensor

    def gather_for_metrics(self, input_data, use_gather_object=False):
        return input_data

    def reduce(self, tensor, reduction="sum", scale=1.0):
        return tensor

    def pad_across_processes(self, tensor, dim=0, pad_index=0, pad_first=False):
        return tensor

    def wait_for_everyone(self):
        """There is nobody else."""

    def set_trigger(self):
        self.flag = True

    def check_trigger(self):
        is_set, self.flag = self.flag, False
        return is_set

    def print(self, *values, **settings):
        print(*values, **settings)

    def init_trackers(self, project_name, config=None, init_kwargs=None):
        """No service is told of the training."""

    def log(self, values, step=None, log_kwargs=None):
        """No service is told of the training."""

    def end_training(self):
        """Nothing waits for the end."""

    def free_memory(self, *objects):
        self.models, self.optimizers, self.states = [], [], []
        return [None for _ in objects]

    def get_state_dict(self, model, unwrap=True):
        return model.state_dict()

    def save(self, obj, f, safe_serialization=False):
        torch.save(obj, f)

    def register_for_checkpointing(self, *objects):
        self.states.extend(objects)

    def folder_of(self, given):
        return Path(given or Path(self.project_dir) / "checkpoints")

    def save_state(self, output_dir=None, safe_serialization=False):
        """Write the states of all that was prepared, or registered, into a folder."""
        folder = self.folder_of(output_dir)
        folder.mkdir(parents=True, exist_ok=True)
        for number, model in enumerate(self.models):
            torch.save(model.state_dict(), folder / f"model_{number}.bin")
        for number, optimizer in enumerate(self.optimizers):
            torch.save(optimizer.state_dict(), folder / f"optimizer_{number}.bin")
        for number, kept in enumerate(self.states):
            torch.save(kept.state_dict(), folder / f"state_{number}.bin")
        return str(folder)

    def load_state(self, input_dir=None):
        """Read what `save_state` wrote."""
        folder = self.folder_of(input_dir)
        for number, model in enumerate(self.models):
            model.load_state_dict(torch.load(folder / f"model_{number}.bin"))
        for number, optimizer in enumerate(self.optimizers):
            optimizer.load_state_dict(torch.load(folder / f"optimizer_{number}.bin"))
        for number, kept in enumerate(self.states):
            kept.load_state_dict(torch.load(folder / f"state_{number}.bin"))
