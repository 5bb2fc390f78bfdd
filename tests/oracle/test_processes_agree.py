"""Code for several processes, as `mindport port` writes it: alone a process computes what torch computes alone, and two
that msrun starts reach each other."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.oracle

PROGRAM = """import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def is_main():
    return not dist.is_available() or not dist.is_initialized() or dist.get_rank() == 0


def mean_of_all(value):
    total = value.clone()
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    average = value.clone()
    dist.all_reduce(average, op=dist.ReduceOp.AVG)
    return total / dist.get_world_size(), average


@torch.no_grad()
def concat_all_gather(tensor):
    parts = [torch.ones_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, tensor, async_op=False)
    return torch.cat(parts, dim=0)


def talk():
    rank, size = dist.get_rank(), dist.get_world_size()
    mean, average = mean_of_all(torch.tensor([1.0 + rank, 4.0]))
    gathered = concat_all_gather(torch.tensor([rank, 10 + rank]))
    joined = torch.zeros(2 * size)
    dist.all_gather_into_tensor(joined, torch.tensor([0.5 * rank, 3.0]))
    objects = [None] * size
    dist.all_gather_object(objects, {"rank": rank})
    sent = torch.tensor([float(rank)])
    dist.broadcast(sent, src=size - 1)
    names = [f"from {rank}"]
    dist.broadcast_object_list(names, src=0)
    most = torch.tensor([rank])
    dist.all_reduce(most, op=dist.ReduceOp.MAX, async_op=True).wait()
    summed = torch.ones(2)
    dist.reduce(summed, dst=0)
    dist.barrier()
    for found in (mean, average, gathered, joined, objects, sent, names, most):
        print("found", found.tolist() if torch.is_tensor(found) else found)
    if rank == 0:
        print("found", summed.tolist())


def train(rank, settings):
    net = nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)))
    for p in net.parameters():
        nn.init.constant_(p, 0.1)
    net = DDP(net, find_unused_parameters=False)
    data = TensorDataset(torch.ones(8, 3), torch.ones(8, 2))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=4, shuffle=sampler is None, sampler=sampler)
    optimizer = torch.optim.SGD(net.parameters(), lr=settings["lr"])
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = (net(x) - y).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if is_main():
                print("found", round(loss.item(), 5))
    print("found", sorted(net.state_dict()), type(net.module).__name__ in ("Sequential", "SequentialCell"))


def main():
    dist.init_process_group(backend="gloo", init_method="env://")
    talk()
    if dist.get_world_size() == 1:
        train(0, {"lr": 0.1})
    if is_main():
        print("found the end")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""
ALONE = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29640", "WORLD_SIZE": "1", "RANK": "0"}
PAIR = """found [1.5, 4.0]
found [1.5, 4.0]
found [0, 10, 1, 11]
found [0.0, 3.0, 0.5, 3.0]
found [{'rank': 0}, {'rank': 1}]
found [1.0]
found ['from 0']
found [1]
"""


def said(text):
    return "".join(line + "\n" for line in text.splitlines() if line.startswith("found"))


def run(*command, environment=None):
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
        env={**os.environ, "GLOG_v": "4", **(environment or {})},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    source = tmp_path_factory.mktemp("source")
    (source / "main.py").write_text(PROGRAM)
    there = tmp_path_factory.mktemp("ported") / "port"
    run(
        sys.executable, "-m", "mindport", "port", str(source), "-o", str(there), "--device", "CPU", "--no-try"
    )
    return source, there


def test_one_process_does_what_torch_does(port):
    source, there = port
    theirs = said(run(sys.executable, str(source / "main.py"), environment=ALONE))
    ours = said(run(sys.executable, str(there / "main.py"), environment=ALONE))
    assert theirs.endswith("found the end\n")
    assert re.sub(r"\s+", " ", ours) == re.sub(r"\s+", " ", theirs)


def test_two_processes_reach_each_other(port, tmp_path):
    _, there = port
    programs = Path(sys.executable).parent
    path = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}  # msrun starts `python`
    counts = ("--worker_num=2", "--local_worker_num=2", "--master_port=29641", "--join=True")
    run(str(programs / "msrun"), *counts, f"--log_dir={tmp_path}", str(there / "main.py"), environment=path)
    first, second = (said((tmp_path / f"worker_{number}.log").read_text()) for number in (0, 1))
    assert first == PAIR + "found [2.0, 2.0]\nfound the end\n"
    assert second == PAIR


def test_more_processes_than_were_started_are_refused(port):
    _, there = port
    with pytest.raises(AssertionError, match=r"msrun --worker_num=4"):
        run(sys.executable, str(there / "main.py"), environment={**ALONE, "WORLD_SIZE": "4"})
