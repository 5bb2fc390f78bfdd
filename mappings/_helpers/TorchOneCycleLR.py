import math

import mindspore


class TorchOneCycleLR(mindspore.experimental.optim.lr_scheduler.LRScheduler):
    """PyTorch's OneCycleLR: one rise and one long fall of the rate, and of the momentum against it."""

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=10000.0,
        three_phase=False,
        last_epoch=-1,
        verbose=False,
    ):
        total = epochs * steps_per_epoch if total_steps is None else total_steps
        self.optimizer, self.total_steps, self.last_epoch = optimizer, total, last_epoch
        self.cycle_momentum, self.is_linear = cycle_momentum, anneal_strategy == "linear"
        up, fall = pct_start * total - 1, [(2, 0, 0, 1)] if not three_phase else [(2, 1, 0, 1), (1, 0, 1, 1)]
        ends = [up, total - 1] if not three_phase else [up, 2 * pct_start * total - 2, total - 1]
        self.phases = []
        for number, group in enumerate(optimizer.param_groups):
            high, low_momentum, high_momentum = (
                value[number] if isinstance(value, (list, tuple)) else value
                for value in (max_lr, base_momentum, max_momentum)
            )
            rates = (high / div_factor / final_div_factor, high / div_factor, high)
            momentums = (low_momentum, high_momentum)
            steps = [(1, 2, 1, 0), *fall]
            self.phases.append([(rates[a], rates[b], momentums[c], momentums[d]) for a, b, c, d in steps])
            group["initial_lr"] = mindspore.Tensor(rates[1], mindspore.float32)
        self.ends = ends
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def step(self):
        self.last_epoch += 1
        if self.last_epoch > self.total_steps:
            raise ValueError(f"step {self.last_epoch} of {self.total_steps}")
        number = next((i for i, end in enumerate(self.ends) if self.last_epoch <= end), len(self.ends) - 1)
        start = self.ends[number - 1] if number else 0
        part = (self.last_epoch - start) / (self.ends[number] - start)
        if not self.is_linear:
            part = (1 - math.cos(math.pi * part)) / 2
        self._last_lr = []
        for group, phases in zip(self.optimizer.param_groups, self.phases, strict=True):
            first, last, before, after = phases[number]
            rate = mindspore.Tensor(first + (last - first) * part, mindspore.float32)
            mindspore.ops.assign(group["lr"], rate)
            self._last_lr.append(rate)
            if self.cycle_momentum:
                momentum = before + (after - before) * part
                if "betas" in group:
                    group["betas"] = (momentum, *group["betas"][1:])
                else:
                    group["momentum"] = momentum

    def get_last_lr(self):
        return self._last_lr

    get_lr = get_last_lr  # both are the rates of the present step

    def state_dict(self):
        return {"last_epoch": self.last_epoch}

    def load_state_dict(self, state_dict):
        self.last_epoch = state_dict["last_epoch"] - 1
        self.step()
