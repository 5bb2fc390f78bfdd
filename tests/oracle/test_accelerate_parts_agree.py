"""A training with accelerate trains as accelerate does: its parts that mindport has, ported with the program."""

import pytest
from running_programs import ported, printed_by

pytestmark = pytest.mark.oracle

PROGRAM = '''import os

import numpy as np
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs
from accelerate.logging import get_logger
from accelerate.utils import ProjectConfiguration, set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logger = get_logger(__name__)


def made(rng, *shape):
    return torch.from_numpy(rng.randn(*shape).astype(np.float32))


def network(rng):
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(made(rng, *parameter.shape) * 0.3)
    return net


def run(steps):
    accelerator = Accelerator(
        gradient_accumulation_steps=steps,
        project_config=ProjectConfiguration(project_dir="out"),
        kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)],
    )
    set_seed(0)
    rng = np.random.RandomState(0)
    net = network(rng)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.9**step)
    loader = DataLoader(TensorDataset(made(rng, 10, 4), made(rng, 10, 2)), batch_size=2)
    net, optimizer, loader, scheduler = accelerator.prepare(net, optimizer, loader, scheduler)
    found = []
    for epoch in range(2):
        net.train()
        for inputs, targets in loader:
            with accelerator.accumulate(net):
                with accelerator.autocast():
                    loss = ((net(inputs) - targets) ** 2).mean()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            found.append(accelerator.gather(loss).item())
        if accelerator.is_main_process:
            logger.info("epoch %d", epoch, main_process_only=True)
    accelerator.wait_for_everyone()
    found.append(sum(one.abs().sum().item() for one in accelerator.unwrap_model(net).parameters()))
    found.append(scheduler.get_last_lr()[0])
    return found


class Trainer:
    """Gradients that the loop adds up itself, and a state that is kept."""

    def __init__(self, net, folder, every=2):
        self.accelerator = Accelerator(split_batches=True, mixed_precision="no")
        self.every, self.folder, self.step = every, folder, 0
        self.model = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        self.model, self.opt = self.accelerator.prepare(self.model, self.opt)

    @property
    def device(self):
        return self.accelerator.device

    def train(self, batches):
        losses = []
        for batch in batches:
            total = 0.0
            for part in batch.chunk(self.every):
                with self.accelerator.autocast():
                    loss = self.model(part.to(self.device)).pow(2).mean() / self.every
                    total += loss.item()
                self.accelerator.backward(loss)
            self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.opt.zero_grad()
            losses.append(total)
        return losses

    def save(self):
        if not self.accelerator.is_local_main_process:
            return
        model = self.accelerator.get_state_dict(self.model)
        self.accelerator.save({"model": model, "opt": self.opt.state_dict()}, os.path.join(self.folder, "all.pt"))
        self.accelerator.save_state(os.path.join(self.folder, "state"))

    def load(self):
        data = torch.load(os.path.join(self.folder, "all.pt"), weights_only=True)
        self.accelerator.unwrap_model(self.model).load_state_dict(data["model"])
        self.opt.load_state_dict(data["opt"])


if __name__ == "__main__":
    for steps in (1, 2, 3):
        print(" ".join(f"{number:.4f}" for number in run(steps)))
    os.makedirs("kept", exist_ok=True)
    rng = np.random.RandomState(1)
    trainer = Trainer(network(rng), "kept")
    batches = [made(rng, 4, 4) for _ in range(3)]
    trainer.train(batches)
    trainer.save()
    after = trainer.train(batches)
    trainer.load()
    assert np.allclose(after, trainer.train(batches))
    trainer.accelerator.load_state("kept/state")
    assert np.allclose(after, trainer.train(batches))
    print(" ".join(f"{number:.4f}" for number in after))
'''


def numbers(printed):
    return [float(word) for word in printed.split()]


def test_ported(tmp_path):
    (tmp_path / "program").mkdir()
    (tmp_path / "program/main.py").write_text(PROGRAM, "utf-8")
    expected = numbers(printed_by(tmp_path / "program", "main.py"))
    assert len(expected) == 39
    ported(tmp_path / "program", tmp_path / "port")
    assert "import torch\n" not in (tmp_path / "port/accelerate_parts.py").read_text("utf-8")
    assert numbers(printed_by(tmp_path / "port", "main.py")) == pytest.approx(expected, abs=2e-4)
