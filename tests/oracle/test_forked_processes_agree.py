"""Processes that share a network, as `mindport port` writes them: MindSpore computes in what it forks, and what one of
them changes is changed for all, as in torch."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.oracle

PROGRAM = """import torch
import torch.multiprocessing as mp
import torch.nn as nn
from torch.multiprocessing import Queue


class Worker(mp.Process):
    def __init__(self, net, queue):
        super(Worker, self).__init__()
        self.net, self.queue = net, queue

    def run(self):
        self.queue.put(self.net(torch.ones(2, 3)).sum().item())


def step(net, queue, lock, counter):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    with lock:
        counter.value += 1
        optimizer.zero_grad()
        net(torch.ones(2, 3)).sum().backward()
        optimizer.step()
        queue.put(torch.ones(3).numpy())


if __name__ == "__main__":
    mp.set_start_method("fork")
    net = nn.Linear(3, 2)
    nn.init.constant_(net.weight, 0.5)
    nn.init.constant_(net.bias, 0.0)
    print(net(torch.ones(2, 3)).sum().item())
    net.share_memory()
    queue, lock, counter = mp.Queue(), mp.Lock(), mp.Value("i", 0)
    processes = [mp.Process(target=step, args=(net, queue, lock, counter)) for _ in range(3)]
    for one in processes:
        one.start()
    for one in processes:
        one.join()
    print(counter.value, sum(queue.get().sum() for _ in processes), round(net(torch.ones(2, 3)).sum().item(), 4))
    worker = Worker(net, Queue())
    worker.start()
    print(round(worker.queue.get(), 4))
    worker.join()
    print([one.exitcode for one in processes], mp.cpu_count() > 0)
"""


def printed(folder):
    environment = {**os.environ, "GLOG_v": "4"}
    done = subprocess.run(
        [sys.executable, "run.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [line for line in done.stdout.splitlines() if not line.startswith("[")] + done.stdout.splitlines()[
        -1:
    ]


def test_forked_processes_share_a_network(tmp_path):
    source, port = tmp_path / "source", tmp_path / "port"
    source.mkdir()
    (source / "run.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mindport", "port", str(source), "-o", str(port), "--device", "CPU"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert "torch." not in (port / "run.py").read_text().replace("mindspore.", "")
    assert printed(port) == printed(source)
