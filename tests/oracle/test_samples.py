"""Whole samples in both frameworks: pairs known to be right agree, pairs known to be wrong do not."""

import functools
import sys
from pathlib import Path

import pytest

from mindport.prove import workers
from mindport.prove.workers import Worker, WorkerDied, run_all

pytestmark = pytest.mark.oracle

START = functools.partial(Worker, Path(sys.executable))


def example(before, after, inputs=None, compare="value", observe="y"):
    return {"before": before, "after": after, "inputs": inputs or {}, "compare": compare, "observe": observe}


X = {"x": "rand(2, 4)"}
IMAGE = {"x": "rand(2, 4, 3, 3)"}
DENSE = "m = mindspore.nn.Dense(4, 3)\n"
LINEAR = "m = nn.Linear(4, 3)\n"
EXPERIMENTAL = "mindspore.experimental.optim"

AGREE = {
    "function": example("y = F.relu(x)", "y = ops.relu(x)", X),
    "module": example(f"{LINEAR}y = m(x)", f"{DENSE}y = m(x)", X),
    "state": example(
        "m = nn.BatchNorm2d(4)\ny = m(x)", "m = mindspore.nn.BatchNorm2d(4, momentum=0.9)\ny = m(x)", IMAGE
    ),
    "evaluation": example(
        "m = nn.BatchNorm2d(4)\nm.eval()\ny = m(x)",
        "m = mindspore.nn.BatchNorm2d(4, momentum=0.9)\nm.set_train(False)\ny = m(x)",
        IMAGE,
    ),
    "detached": example("y = F.relu(x).detach()", "y = ops.stop_gradient(ops.relu(x))", X),
    "structure": example("y = torch.rand(2)", "y = ops.rand(2)", compare="structure"),
    "optimizer": example(
        f"{LINEAR}optimizer = optim.SGD(m.parameters(), lr=0.1, momentum=0.9)",
        f"{DENSE}optimizer = {EXPERIMENTAL}.SGD(m.trainable_params(), lr=0.1, momentum=0.9)",
        compare="effect",
    ),
    "shape": example("y = x.shape", "y = x.shape", X),
    "dtype": example("y = x.dtype", "y = x.dtype", X),
}

DISAGREE = {
    "value": example("y = F.relu(x)", "y = ops.sigmoid(x)", X),
    "epsilon": example("m = nn.LayerNorm(4)\ny = m(x)", "m = mindspore.nn.LayerNorm((4,))\ny = m(x)", X),
    "state": example(
        "m = nn.BatchNorm2d(4)\ny = m(x)", "m = mindspore.nn.BatchNorm2d(4, momentum=0.1)\ny = m(x)", IMAGE
    ),
    "gradient": example("y = F.selu(x - 0.5)", "y = mindspore.nn.SeLU()(x - 0.5)", X),
    "missing gradient": example("y = F.relu(x)", "y = ops.stop_gradient(ops.relu(x))", X),
    "gradient too many": example("y = F.relu(x).detach()", "y = ops.relu(x)", X),
    "in place": example("y = x.add_(1)", "y = x + 1", X),
    "structure": example("y = torch.rand(2)", "y = ops.rand(3)", compare="structure"),
    "where an epsilon stands": example(
        f"{LINEAR}optimizer = optim.Adam(m.parameters())",
        f"{DENSE}optimizer = {EXPERIMENTAL}.Adam(m.trainable_params())",
        compare="effect",
    ),
    "the largest slope": example(
        f"{LINEAR}optimizer = optim.AdamW(m.parameters(), betas=(0.9, 0.5), amsgrad=True)",
        f"{DENSE}optimizer = {EXPERIMENTAL}.AdamW(m.trainable_params(), betas=(0.9, 0.5))",
        compare="effect",
    ),
    "zeros": example("y = torch.xlogy(x, x)", "y = ops.xlogy(x, x)", {"x": "edges(2, 4)"}),
    "exactly 0 or 1": example(
        "y = F.binary_cross_entropy(x, t, reduction='none')",
        "y = ops.binary_cross_entropy(x, t, reduction='none')",
        {"x": "edges(2, 4)", "t": "rand(2, 4)"},
    ),
    "optimizer": example(
        f"{LINEAR}optimizer = optim.RMSprop(m.parameters(), lr=0.1)",
        f"{DENSE}optimizer = mindspore.nn.RMSProp(m.trainable_params(), 0.1)",
        compare="effect",
    ),
    "schedule": example(
        f"{LINEAR}optimizer = optim.SGD(m.parameters(), lr=0.1)\ns = optim.lr_scheduler.StepLR(optimizer, 2)",
        f"{DENSE}optimizer = {EXPERIMENTAL}.SGD(m.trainable_params(), lr=0.1)\n"
        f"s = {EXPERIMENTAL}.lr_scheduler.StepLR(optimizer, 3)",
        compare="effect",
    ),
    "tuple": example("y = torch.max(x, 1)", "y = ops.amax(x, 1)", X),
}

OTHERWISE = {
    "failed": example("y = F.gelu(x)", "y = mint.nn.functional.gelu(x)", X),
    "illegal": example("y = F.no_such_name(x)", "y = x", X),
    "crashed": example("y = F.relu(x)", "import os; os.abort()", X),
}


@pytest.fixture(scope="module")
def worker():
    worker = START()
    yield worker
    worker.stop()


def ask(worker, wanted):
    return worker.ask({"example": wanted, "variant": "own", "seed": 1}, 60)


@pytest.mark.parametrize("name", AGREE)
def test_right_pairs_agree(worker, name):
    outcome = ask(worker, AGREE[name])
    assert (outcome["status"], outcome["message"]) == ("agree", "")


@pytest.mark.parametrize("name", DISAGREE)
def test_wrong_pairs_are_told_apart(worker, name):
    assert ask(worker, DISAGREE[name])["status"] == "differ"


@pytest.mark.parametrize("name", ["failed", "illegal"])
def test_what_cannot_run_is_named(worker, name):
    outcome = ask(worker, OTHERWISE[name])
    assert outcome["status"] == name and outcome["message"]


NARROW = {
    "function": (AGREE["function"], "agree"),
    "module": (AGREE["module"], "agree"),
    "value": (DISAGREE["value"], "differ"),
    "dtype": (example("y = F.relu(x).dtype", "y = mindspore.float32", X), "differ"),
    "what is an integer stays one": (
        example("y = x[i].dtype, i.dtype", "y = x[i].dtype, i.dtype", {**X, "i": "randint(0, 2, (3,))"}),
        "agree",
    ),
}


@pytest.mark.parametrize("name", NARROW)
def test_half_precision_is_compared(worker, name):
    wanted, status = NARROW[name]
    outcome = worker.ask({"example": wanted, "variant": "float16", "seed": 7}, 60)
    assert outcome["status"] == status, outcome["message"]


@pytest.mark.parametrize(
    ("after", "status"), [("y = x + 1", "agree"), ("y = x + 1.1", "differ"), ("y = x @ x.T", "failed")]
)
def test_bfloat16_is_compared_where_there_is_a_kernel(worker, after, status):
    before = "y = x @ x.T" if "@" in after else "y = x + 1"
    wanted = {"example": example(before, after, X), "variant": "bfloat16", "seed": 7}
    assert worker.ask(wanted, 60)["status"] == status


def test_times_are_ratios(worker):
    def timing(after):
        wanted = example("y = x * 2", after, X)
        return worker.ask({"example": wanted, "variant": "own", "seed": 0, "timed": True}, 60)["timing"]

    once, often = timing("y = x * 2"), timing("y = [x * 2 for _ in range(8)][0]")
    assert often["ratio"] > 2 * once["ratio"] and once["elements"] > 10_000


def test_a_crash_and_a_hang_lose_one_example_only():
    hanging = example("y = F.relu(x)", "while True: pass", X)
    tasks = [
        [{"example": wanted, "variant": "own", "seed": seed} for seed in range(2)]
        for wanted in (OTHERWISE["crashed"], hanging, AGREE["function"])
    ]
    found = {}
    run_all(tasks, lambda index, outcomes, versions: found.setdefault(index, outcomes), START, 2, 3)
    assert [[o["status"] for o in found[i]] for i in range(3)] == [
        ["crashed"],
        ["crashed"],
        ["agree", "agree"],
    ]


LEAVES = example("y = F.relu(x)", "import builtins\nbuiltins.left = 1\ny = ops.relu(x)", X)
FINDS = "import builtins\ny = ops.sigmoid(x) if hasattr(builtins, 'left') else ops.relu(x)"
A_THREAD = "import threading, time\nthreading.Thread(target=time.sleep, args=(900,), daemon=True).start()\n"


@pytest.mark.parametrize(("at_start", "starts"), [("", 1), (A_THREAD, 3)], ids=["copied", "started again"])
def test_a_renewed_worker_knows_nothing_of_what_ran_before(monkeypatch, tmp_path, at_start, starts):
    """Where the process that loaded the frameworks can be copied they are loaded once."""
    (tmp_path / "sitecustomize.py").write_text(at_start)
    monkeypatch.setitem(workers.ENVIRONMENT, "PYTHONPATH", str(tmp_path))
    started = []
    start = workers.start_probe
    monkeypatch.setattr(workers, "start_probe", lambda *a, **k: started.append(a) or start(*a, **k))
    worker = START()
    finds = example("y = F.relu(x)", FINDS, X)
    assert [ask(worker, one)["status"] for one in (finds, LEAVES, finds)] == ["agree", "agree", "differ"]
    worker.renew()
    assert ask(worker, finds)["status"] == "agree"
    for _ in range(2):  # what is asked of a process that ended is answered by no other
        with pytest.raises(WorkerDied):
            ask(worker, OTHERWISE["crashed"])
    worker.renew()
    assert ask(worker, finds)["status"] == "agree"
    worker.stop()
    assert len(started) == starts


@pytest.mark.parametrize(("is_alone", "statuses"), [(True, ["agree", "agree"]), (False, ["agree", "differ"])])
def test_tasks_that_are_alone_know_nothing_of_each_other(is_alone, statuses):
    tasks = [
        [{"example": wanted, "variant": "own", "seed": 1}]
        for wanted in (LEAVES, example("y = F.relu(x)", FINDS, X))
    ]
    found = {}
    run_all(
        tasks,
        lambda index, outcomes, versions: found.setdefault(index, outcomes[0]["status"]),
        START,
        1,
        60,
        is_repeated=False,
        is_alone=is_alone,
    )
    assert [found[place] for place in range(2)] == statuses
