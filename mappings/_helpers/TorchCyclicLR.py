import math

import mindspore


class TorchCyclicLR(mindspore.experimental.optim.lr_scheduler.LRScheduler):
    """PyTorch's CyclicLR: rates that go up and down between two bounds, and the momentum against them."""

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
        verbose=False,
    ):
        self.optimizer, self.last_epoch, self.cycle_momentum = optimizer, last_epoch, cycle_momentum
        self.up, self.down = step_size_up, step_size_up if step_size_down is None else step_size_down
        heights = {
            "triangular": lambda cycle: 1.0,
            "triangular2": lambda cycle: 0.5 ** (cycle - 1),
            "exp_range": lambda step: gamma**step,
        }
        self.height = heights[mode] if scale_fn is None else scale_fn
        self.is_by_cycle = mode != "exp_range" if scale_fn is None else scale_mode == "cycle"
        groups = optimizer.param_groups
        if cycle_momentum and not all("momentum" in group or "betas" in group for group in groups):
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        bounds = base_lr, max_lr, base_momentum, max_momentum
        self.bounds = [
            [value[number] if isinstance(value, (list, tuple)) else value for value in bounds]
            for number in range(len(groups))
        ]
        self.base_lrs = [low for low, *_ in self.bounds]
        for group, low in zip(groups, self.base_lrs):
            group["initial_lr"] = mindspore.Tensor(low, mindspore.float32)
        self.step()

    def step(self, epoch=None):
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        cycle, place = divmod(self.last_epoch, self.up + self.down)
        part = place / self.up if place <= self.up else 1 - (place - self.up) / self.down
        part *= self.height(math.floor(cycle) + 1 if self.is_by_cycle else self.last_epoch)
        self._last_lr = []
        for group, (low, high, low_momentum, high_momentum) in zip(self.optimizer.param_groups, self.bounds):
            rate = mindspore.Tensor(low + (high - low) * part, mindspore.float32)
            mindspore.ops.assign(group["lr"], rate)
            self._last_lr.append(rate)
            if self.cycle_momentum:
                momentum = high_momentum - (high_momentum - low_momentum) * part
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
        self.step(state_dict["last_epoch"])
