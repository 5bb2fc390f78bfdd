"""Data sets, samplers and loaders that converted programs get, against torch's own: batches, order, seeds, workers."""

import json
import subprocess
import sys
import threading
from collections import OrderedDict, namedtuple

import mindspore
import numpy
import pytest
import torch
import torch.utils.data as torch_data

from mindport.cli.main import main
from mindport.mapping.helper_source import with_helpers
from mindport.registry.probe_process import PROBES

sys.path.append(str(PROBES))
from oracle.torchvision_import import import_torchvision

pytestmark = pytest.mark.oracle

CODE = """
parts = (TorchDataLoader, TorchDataset, TorchIterableDataset, TorchTensorDataset, TorchSubset, TorchConcatDataset,
    TorchRandomSplit, TorchRandomSampler, TorchSubsetRandomSampler, TorchWeightedRandomSampler, TorchBatchSampler,
    TorchSampler)
"""
NAMES = {}
exec(with_helpers(CODE), NAMES)
SETTINGS = ("batch_size", "drop_last", "num_workers", "pin_memory", "timeout", "worker_init_fn", "generator")
Pair = namedtuple("Pair", "x y")
ARRAYS = {
    "float32": lambda i: numpy.full((2, 3), i, numpy.float32),
    "float64": lambda i: numpy.full(2, i / 3),
    "uint8": lambda i: numpy.array([i], numpy.uint8),
    "scalar": lambda i: numpy.int32(i),
    "number": lambda i: i / 3,
    "bool": lambda i: i % 2 == 0,
    "text": lambda i: f"sample {i}",
    "tuple": lambda i: (numpy.ones(2) * i, i),
    "list": lambda i: [i, [float(i), "x"]],
    "named": lambda i: Pair(numpy.float32(i), (i,)),
    "dict": lambda i: {"image": numpy.ones((1, 2)), "label": i, "meta": {"name": "x"}},
    "ordered": lambda i: OrderedDict(b=i, a=numpy.ones(1)),
    "empty": lambda i: numpy.zeros((0, 2), numpy.float32),
}


def plain(value):
    """Nested lists of what a batch holds, with dtypes, in either framework."""
    if isinstance(value, (torch.Tensor, mindspore.Tensor)):
        array = value.asnumpy() if isinstance(value, mindspore.Tensor) else value.numpy()
        return str(array.dtype), array.shape, array.tolist()
    if isinstance(value, dict):
        return type(value).__name__, {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(one) for one in value]
    return value


class Samples:
    def __init__(self, make, count=7):
        self.make, self.count = make, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.make(index)


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"batch_size": 3},
        {"batch_size": 3, "drop_last": True},
        {"batch_size": None},
        {"batch_size": 2, "sampler": [5, 0, 3]},
        {"batch_sampler": [[1, 2], [6]]},
        {"batch_size": 2, "collate_fn": len},
        {"batch_size": None, "sampler": [4, 2]},
        {"batch_size": 2, "shuffle": False, "pin_memory": False, "timeout": 0, "persistent_workers": False},
    ],
)
def test_the_same_batches(kind, options):
    samples = Samples(ARRAYS[kind])
    theirs, mine = torch_data.DataLoader(samples, **options), NAMES["TorchDataLoader"](samples, **options)
    wanted = [plain(batch) for batch in theirs]
    assert [plain(batch) for batch in mine] == wanted
    assert [plain(batch) for batch in mine] == wanted  # a second epoch
    assert len(mine) == len(theirs)
    assert plain(next(iter(mine))) == wanted[0]
    assert [plain(batch) for batch in NAMES["TorchDataLoader"](samples, num_workers=3, **options)] == wanted


@pytest.mark.parametrize(
    "options", [{}, {"batch_size": 2}, {"batch_size": 2, "drop_last": True}, {"batch_size": None}]
)
def test_streams(options):
    class Stream(torch_data.IterableDataset):
        def __iter__(self):
            return iter([1.5, 2.5, 3.5])

    class Ported(NAMES["TorchIterableDataset"]):
        __iter__ = Stream.__iter__

    wanted = [plain(batch) for batch in torch_data.DataLoader(Stream(), **options)]
    for workers in (0, 2):
        loader = NAMES["TorchDataLoader"](Ported(), num_workers=workers, **options)
        assert [plain(batch) for batch in loader] == wanted
    with pytest.raises(TypeError):
        len(loader)


ORDER = numpy.random.RandomState(0).permutation(7)


@pytest.mark.parametrize(
    "batches",
    [
        lambda parts, data: parts("DataLoader")(data, 2, sampler=ORDER),
        lambda parts, data: parts("DataLoader")(data, batch_sampler=numpy.array_split(ORDER, 3)),
        lambda parts, data: parts("DataLoader")(data, batch_size=None, sampler=ORDER),
        lambda parts, data: parts("DataLoader")(parts("Subset")(data, ORDER[:5]), 2),
        lambda parts, data: [parts("Subset")(data, ORDER)[3]],
        lambda parts, data: [parts("Subset")(parts("Subset")(data, ORDER), ORDER)[0]],
        lambda parts, data: [data[ORDER[0]], data[2], data[:2]],
        lambda parts, data: [
            sorted(int(y) for _, y in parts("DataLoader")(data, sampler=parts("SubsetRandomSampler")(ORDER)))
        ],
    ],
)
def test_numbers_of_numpy_are_indexes_of_tensors(batches):
    """MindSpore's tensors refuse them; permutations and splits are made of them."""
    x = numpy.arange(14, dtype=numpy.float32).reshape(7, 2)
    theirs = batches(
        lambda name: getattr(torch_data, name),
        torch_data.TensorDataset(torch.from_numpy(x), torch.arange(7)),
    )
    mine = batches(
        lambda name: NAMES["Torch" + name],
        NAMES["TorchTensorDataset"](mindspore.tensor(x), mindspore.ops.arange(7)),
    )
    assert [plain(batch) for batch in mine] == [plain(batch) for batch in theirs]


def test_a_data_set_that_only_says_to_be_endless():
    class Endless(Samples):
        def __len__(self):
            return 10**10

    theirs, mine = (
        make(Endless(ARRAYS["uint8"]), batch_size=3)
        for make in (torch_data.DataLoader, NAMES["TorchDataLoader"])
    )
    assert plain(next(iter(mine))) == plain(next(iter(theirs)))
    assert len(mine) == len(theirs)


def order(loader):
    return [int(i) for batch in loader for i in batch.asnumpy()]


def test_a_shuffled_loader_follows_the_seed_and_changes_from_epoch_to_epoch():
    loader = NAMES["TorchDataLoader"](range(40), batch_size=7, shuffle=True)
    mindspore.set_seed(3)
    first, second = order(loader), order(loader)
    assert first != second and sorted(first) == sorted(second) == list(range(40))
    mindspore.set_seed(3)
    assert [order(loader), order(loader)] == [first, second]
    mindspore.set_seed(4)
    assert order(loader) != first
    assert order(NAMES["TorchDataLoader"](range(40), batch_size=7)) == list(range(40))


@pytest.mark.parametrize(
    "make",
    [
        lambda generator: NAMES["TorchDataLoader"](range(40), 4, shuffle=True, generator=generator),
        lambda generator: NAMES["TorchDataLoader"](
            range(40), sampler=NAMES["TorchRandomSampler"](range(40), generator=generator)
        ),
        lambda generator: NAMES["TorchDataLoader"](
            range(40), sampler=NAMES["TorchSubsetRandomSampler"](range(40), generator)
        ),
        lambda generator: NAMES["TorchDataLoader"](
            NAMES["TorchRandomSplit"](range(40), [30, 10], generator)[0]
        ),
    ],
)
def test_a_generator_fixes_the_order(make):
    def run(seed):
        return order(make(mindspore.Generator().manual_seed(seed)))

    assert run(1) == run(1) != run(2)
    generator = mindspore.Generator().manual_seed(1)
    assert order(make(generator)) == run(1) != order(make(generator))  # it goes on
    generator.manual_seed(1)
    assert order(make(generator)) == run(1)


def test_random_split_is_a_partition_that_follows_the_seed():
    mindspore.set_seed(1)
    parts = NAMES["TorchRandomSplit"](Samples(float, 11), [0.5, 0.25, 0.25])
    sizes = [len(part) for part in torch_data.random_split(range(11), [0.5, 0.25, 0.25])]
    assert [len(part) for part in parts] == sizes
    assert sorted(index for part in parts for index in part.indices) == list(range(11))
    mindspore.set_seed(1)
    again = NAMES["TorchRandomSplit"](Samples(float, 11), [0.5, 0.25, 0.25])
    assert [part.indices for part in again] == [part.indices for part in parts]
    assert parts[1][0] == float(parts[1].indices[0])
    with pytest.raises(ValueError, match="do not sum up"):
        NAMES["TorchRandomSplit"](range(11), [5, 5])


def test_weighted_samples_come_as_often_as_they_weigh():
    mindspore.set_seed(1)
    drawn = list(NAMES["TorchWeightedRandomSampler"]([0.0, 1.0, 3.0], 4000))
    assert drawn.count(0) == 0 and 0.72 < drawn.count(2) / len(drawn) < 0.78
    kept = NAMES["TorchWeightedRandomSampler"](mindspore.Tensor([0.5, 0.0, 1.0]), 2, replacement=False)
    assert sorted(kept) == [0, 2] and len(kept) == 2


def test_operations_of_mindspore_run_in_one_thread():
    """In several of them they gave wrong values now and then."""
    threads = set()

    def note(index):
        threads.add(threading.get_ident())
        return index

    loader = NAMES["TorchDataLoader"](Samples(note), 2, num_workers=3)
    assert order(loader) == list(range(len(Samples(note))))
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("make", [torch_data.DataLoader, NAMES["TorchDataLoader"]])
def test_what_starts_workers_is_not_called_where_there_are_none(make):
    """It would seed the program's own random numbers anew for each pass, or ask None for the data set."""
    started = []
    list(make(range(3), worker_init_fn=started.append))
    assert started == []


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"batch_size": 3},
        {"batch_size": 3, "drop_last": True},
        {"batch_size": None},
        {"sampler": [5, 0, 3], "batch_size": 2},
        {"batch_sampler": [[1, 2], [6]]},
        {"shuffle": True},
        {"pin_memory": False, "timeout": 0, "num_workers": 0},
    ],
)
def test_a_loader_tells_what_it_was_made_of(options):
    def parts(loader):
        batches = loader.batch_sampler
        kinds = (type(loader.sampler), type(batches), type(getattr(batches, "sampler", None)))
        return (
            [kind.__name__.removeprefix("Torch") for kind in kinds],
            len(loader.sampler),
            None if batches is None else len(batches),
            [getattr(batches, name, None) for name in ("batch_size", "drop_last")],
            [getattr(loader, name) for name in SETTINGS],
            loader.dataset,
        )

    assert parts(NAMES["TorchDataLoader"](range(7), **options)) == parts(
        torch_data.DataLoader(range(7), **options)
    )


def endless(loader, sampler):
    """A loader whose batches never end, as detectors have it; one pass takes as many as there are."""

    class Repeated:
        def __init__(self, inner):
            self.inner = inner

        def __iter__(self):
            while True:
                yield from iter(self.inner)

    class Endless(loader):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            object.__setattr__(self, sampler, Repeated(getattr(self, sampler)))
            self.iterator = super().__iter__()

        def __len__(self):
            return len(getattr(self, sampler).inner)

        def __iter__(self):
            for _ in range(len(self)):
                yield next(self.iterator)

    return Endless


@pytest.mark.parametrize(
    ("sampler", "options"),
    [("batch_sampler", {"batch_size": 3}), ("sampler", {"batch_size": None}), ("batch_sampler", {})],
)
def test_a_loader_with_an_endless_sampler(sampler, options):
    theirs, mine = (
        endless(loader, sampler)(range(7), **options)
        for loader in (torch_data.DataLoader, NAMES["TorchDataLoader"])
    )
    for _ in range(2):
        assert [plain(batch) for batch in mine] == [plain(batch) for batch in theirs]
    shuffled = endless(NAMES["TorchDataLoader"], sampler)(range(40), shuffle=True, **options)
    first, second = ([int(i) for batch in shuffled for i in numpy.ravel(batch)] for _ in range(2))
    assert first != second and sorted(first) == sorted(second) == list(range(40))


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("TorchSequentialSampler", True),
        ("TorchRandomSampler", True),
        ("TorchSubsetRandomSampler", True),
        ("TorchDataset", False),
    ],
)
def test_what_is_a_sampler(kind, wanted):
    """Samplers of groups refuse what is none."""
    made = NAMES[kind](range(3)) if wanted else NAMES[kind]()
    assert isinstance(made, NAMES["TorchSampler"]) is wanted


@pytest.mark.parametrize("workers", [0, 2])
def test_errors_of_samples_reach_the_loop(workers):
    def fail(index):
        if index == 5:
            raise KeyError("sample 5")
        return index

    loader = iter(NAMES["TorchDataLoader"](Samples(fail), 2, num_workers=workers))
    assert [next(loader).asnumpy().tolist() for _ in range(2)] == [[0, 1], [2, 3]]
    with pytest.raises(KeyError, match="sample 5"):
        next(loader)


@pytest.mark.parametrize("loader", [torch_data.DataLoader, NAMES["TorchDataLoader"]])
def test_a_loader_that_shuffles_asks_for_the_size_when_it_is_made(loader):
    class Lazy:
        size = 0

        def __getitem__(self, index):
            return index

        def __len__(self):
            Lazy.size = Lazy.size or 3
            return Lazy.size

    loader(Lazy())
    assert Lazy.size == 0
    loader(Lazy(), shuffle=True)
    assert Lazy.size == 3
    with pytest.raises(ValueError, match="positive integer value, but got num_samples=0"):
        loader([], shuffle=True)


@pytest.mark.parametrize("samples", [[(1, 2), (1,)], [numpy.ones(2), numpy.ones(3)], [None, None]])
def test_what_torch_refuses_to_collate_raises(samples):
    for loader in (torch_data.DataLoader, NAMES["TorchDataLoader"]):
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            list(loader(samples, 2))


PROGRAM = """import torch
from torch.utils.data import DataLoader, random_split
from torchvision import datasets, transforms


def batches(root):
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    train = datasets.MNIST(root, train=True, download=True, transform=transform)
    test = datasets.MNIST(root, train=False, transform=transform)
    kept, rest = random_split(test, [1, 4], generator=torch.Generator().manual_seed(42))
    found = [len(kept), len(rest)]
    for images, labels in DataLoader(train, batch_size=2, shuffle=False, num_workers=2, pin_memory=True):
        found += [images.size(0), images.sum().item(), images.shape[1], labels.sum().item()]
    return found
"""
WITHOUT_TORCH = """
import sys, json
sys.modules["torch"] = None
import program
print(json.dumps(program.batches("data")))
"""


def test_the_data_of_a_program_that_trains_on_mnist(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    raw = tmp_path / "data" / "MNIST" / "raw"
    raw.mkdir(parents=True)
    pixels = numpy.random.default_rng(1).integers(0, 256, (5, 28, 28)).astype(numpy.uint8).tobytes()
    for name in ("train", "t10k"):
        sizes = b"".join(size.to_bytes(4, "big") for size in (5, 28, 28))
        (raw / f"{name}-images-idx3-ubyte").write_bytes(b"\0\0\x08\3" + sizes + pixels)
        (raw / f"{name}-labels-idx1-ubyte").write_bytes(b"\0\0\x08\1" + sizes[:4] + bytes([7, 2, 1, 0, 4]))
    import_torchvision()
    names = {}
    exec(PROGRAM, names)
    wanted = names["batches"]("data")
    (tmp_path / "program.py").write_text(PROGRAM)
    assert main(["fix", "--device", "CPU", "--target-version", "2.10", "program.py"]) == 0
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == pytest.approx(wanted, rel=1e-5)
