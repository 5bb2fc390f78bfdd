"""Files of weights: what torch wrote is read number for number without torch; what would run code, or is damaged, is
refused with a reason, and nothing was run."""

import io
import json
import pickle
import zipfile
from collections import OrderedDict

import numpy
import pytest
import torch
from checkpoint.read import read_file, read_weights
from checkpoint.stored import CheckpointError

pytestmark = pytest.mark.oracle

BASE = torch.arange(24.0)
LAYER = torch.nn.Linear(2, 3)
WITH_ATTRIBUTE = torch.nn.Parameter(torch.ones(2))
WITH_ATTRIBUTE.tag = "kept by torch"
TENSORS = {
    "two axes": torch.randn(3, 4),
    "transposed": torch.randn(3, 4).t(),
    "view with offset": BASE[5:11],
    "another view of it": BASE.view(4, 6)[:, ::2],
    "expanded": torch.ones(1).expand(4),
    "half": torch.randn(5).half(),
    "bfloat16": torch.tensor([1.5, -3e38, float("inf"), 1e-40]).bfloat16(),
    "double": torch.randn(5).double(),
    "integers": torch.tensor([-(2**62), 2**62]),
    "bytes": torch.tensor([0, 255], dtype=torch.uint8),
    "short": torch.tensor([-7], dtype=torch.int16),
    "bool": torch.tensor([True, False]),
    "complex": torch.randn(3, dtype=torch.complex64),
    "no axes": torch.tensor(3.5),
    "no elements": torch.zeros(0, 3),
    "parameter": LAYER.weight,
    "parameter with an attribute": WITH_ATTRIBUTE,
    "sparse strides": torch.as_strided(BASE, (2, 3), (11, 2), 1),
}


def as_numpy(tensor):
    tensor = tensor.detach()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()


def check(found, tensors):
    assert list(found) == list(tensors)
    for name, tensor in tensors.items():
        array, wanted = found[name].array(), as_numpy(tensor)
        assert (array.dtype, array.shape) == (wanted.dtype, wanted.shape), name
        assert numpy.array_equal(array, wanted), name


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("wrap", ["", "state_dict", "model", "whatever"])
def test_what_torch_wrote(tmp_path, is_zip, protocol, wrap):
    content = TENSORS
    if wrap:
        optimizer = {"state": {0: {"moment": torch.ones(2)}}, "param_groups": [{"lr": 0.1, "params": [0]}]}
        content = {"epoch": 3, "note": "fünf", wrap: TENSORS, "optimizer": optimizer}
    if wrap in ("state_dict", "model"):
        content |= {"best": torch.tensor(0.7), "ema": {"weight": torch.zeros(1)}}
    file = tmp_path / "net.pth"
    torch.save(content, file, pickle_protocol=protocol, _use_new_zipfile_serialization=is_zip)
    found, key = read_weights(file, None)
    assert key == wrap
    check(found, TENSORS)


def test_unsigned_dtypes_that_have_no_storage_class(tmp_path):
    tensors = {
        "a": torch.tensor([1, 60000], dtype=torch.uint16),
        "b": torch.tensor([2**63], dtype=torch.uint64),
    }
    torch.save(tensors, tmp_path / "net.pth")
    check(read_weights(tmp_path / "net.pth", None)[0], tensors)


def test_a_state_dict_of_a_module_keeps_its_order(tmp_path):
    state = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2)).state_dict()
    torch.save(state, tmp_path / "net.pth")
    check(read_weights(tmp_path / "net.pth", None)[0], state)


def test_tensors_that_share_a_storage_read_it_once(tmp_path):
    torch.save({"a": BASE[:4], "b": BASE[4:]}, tmp_path / "net.pth")
    found, _ = read_weights(tmp_path / "net.pth", None)
    assert found["a"].storage is found["b"].storage


@pytest.mark.parametrize("name", ["weights", "ema"])
def test_the_key_can_be_named(tmp_path, name):
    torch.save({"weights": {"a": torch.zeros(1)}, "ema": {"a": torch.ones(1)}}, tmp_path / "net.pth")
    found, key = read_weights(tmp_path / "net.pth", name)
    assert key == name and found["a"].array() == (name == "ema")


def test_npz(tmp_path):
    arrays = {
        "a": numpy.arange(3),
        "b": numpy.array([[True], [False]]),
        "c": numpy.float16(2),
        "d": numpy.zeros((0, 2)),
    }
    numpy.savez(tmp_path / "net.npz", **arrays)
    found, _ = read_weights(tmp_path / "net.npz", None)
    assert all(numpy.array_equal(found[name].array(), arrays[name]) for name in arrays)


def safetensors(rows, data, length=None):
    header = json.dumps(rows).encode()
    return (len(header) if length is None else length).to_bytes(8, "little") + header + data


def test_safetensors(tmp_path):
    rows = {
        "__metadata__": {"format": "pt"},
        "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "b": {"dtype": "BF16", "shape": [], "data_offsets": [8, 10]},
        "c": {"dtype": "BOOL", "shape": [0, 3], "data_offsets": [10, 10]},
    }
    data = numpy.array([1.5, -2], "<f4").tobytes() + b"\x80\x3f"
    (tmp_path / "net.safetensors").write_bytes(safetensors(rows, data))
    found, _ = read_weights(tmp_path / "net.safetensors", None)
    assert found["a"].array().tolist() == [1.5, -2] and found["b"].array() == 1
    assert found["c"].array().shape == (0, 3)


ROW = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (safetensors({"a": ROW}, b"\0" * 7), "reaches beyond its end"),
        (safetensors({"a": {**ROW, "data_offsets": [-4, 4]}}, b"\0" * 8), "reaches beyond its end"),
        (safetensors({"a": {**ROW, "shape": [3]}}, b"\0" * 8), "takes 8 bytes"),
        (safetensors({"a": {**ROW, "shape": [-1, -2]}}, b"\0" * 8), "no tensor has shape"),
        (safetensors({"a": {**ROW, "dtype": "F8_E4M3"}}, b"\0" * 8), "dtype F8_E4M3 cannot be read"),
        (safetensors({"a": {**ROW, "dtype": []}}, b"\0" * 8), "no safetensors file"),
        (safetensors({"a": 5}, b""), "no safetensors file"),
        (safetensors([1], b""), "no safetensors file"),
        (safetensors({}, b"", length=2**60), "no safetensors file"),
        (b"\0" * 4, "no safetensors file"),
    ],
)
def test_damaged_safetensors(tmp_path, content, reason):
    (tmp_path / "net.safetensors").write_bytes(content)
    with pytest.raises(CheckpointError, match=reason):
        read_weights(tmp_path / "net.safetensors", None)


class Calls:
    """Pickles as a call of a function with arguments."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def zipped(pickled, **entries):
    """A checkpoint with this pickle and these storages."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("archive/data.pkl", pickled)
        for name, content in entries.items():
            archive.writestr(f"archive/data/{name[1:]}", content)
    return stream.getvalue()


def legacy(pickled):
    """A checkpoint of before the zip format."""
    return pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps({}, 2) + pickled


def stack_global(module, name):
    """A pickle of a global whose name may have dots."""
    texts = b"".join(b"\x8c" + bytes([len(text)]) + text.encode() for text in (module, name))
    return b"\x80\x04" + texts + b"\x93."


MARK = "mark-of-the-attack"
TOUCH = f"import pathlib; pathlib.Path({MARK!r}).touch()"
ATTACKS = [
    (pickle.dumps({"weight": Calls(eval, f"exec({TOUCH!r})")}, 2), "builtin.*eval"),
    (pickle.dumps(Calls(exec, TOUCH), 4), "builtins.exec"),
    (pickle.dumps([Calls(__import__("os").system, f"touch {MARK}")], 2), "system"),
    (pickle.dumps(Calls(__import__("subprocess").Popen, ["touch", MARK]), 4), "subprocess.Popen"),
    (pickle.dumps(Calls(torch.load, MARK), 2), "torch.serialization.load"),
    (stack_global("torch", "hub.load"), "torch.hub.load"),
    (stack_global("torch._utils", "__builtins__"), "torch._utils.__builtins__"),
    (stack_global("collections", "OrderedDict.__init__"), "OrderedDict.__init__"),
    (b"ctorch.storage\n_load_from_bytes\n(C\x01xtR.", "torch.storage._load_from_bytes"),
    (b"cnumpy.core.multiarray\n_reconstruct\n.", "numpy.core.multiarray._reconstruct"),
    (b"(ios\nsystem\n.", "os.system"),  # the opcode INST
    (b"\x80\x02\x82\x01.", "damaged"),  # an extension code
]


@pytest.mark.parametrize("wrap", [zipped, legacy])
@pytest.mark.parametrize(("pickled", "refused"), ATTACKS)
def test_nothing_of_a_checkpoint_is_run(tmp_path, monkeypatch, wrap, pickled, refused):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.pth").write_bytes(wrap(pickled))
    with pytest.raises(CheckpointError, match=refused):
        read_file(tmp_path / "net.pth")
    assert not (tmp_path / MARK).exists()


@pytest.mark.parametrize(
    ("pickled", "reason"),
    [
        (
            b"ctorch._utils\n_rebuild_tensor_v2\n}X\x01\x00\x00\x00aK\x01sb.",
            "sets attributes of _rebuild_tensor_v2",
        ),
        (b"ctorch\nFloatStorage\n}b.", "sets attributes of FloatStorage"),
        (b"ctorch\nFloatStorage\n)R.", "calls a type"),
        (b"ctorch\nFloatStorage\n)\x81.", "damaged"),  # the opcode NEWOBJ
        (b"ctorch._utils\n_rebuild_tensor_v2\n(K\x01K\x00)))tR.", "put together from something else"),
        (b"ctorch._tensor\n_rebuild_from_type_v2\n(K\x01K\x00))tR.", "put together by something else"),
        (b"\x80\x02(X\x06\x00\x00\x00moduleK\x01tQ.", "refers to something that is no storage"),
        (b"\x80\x02r\xff\xff\xff\xff.", "damaged"),  # a memo index of 2**32 - 1 costs no memory
        (b"\x80\x02}", "damaged or cut off"),
        (b"", "damaged or cut off"),
        (b"\x80\x7f.", "damaged"),
        (b"\xff" * 20, "damaged"),
    ],
)
def test_damaged_pickles(tmp_path, pickled, reason):
    (tmp_path / "net.pth").write_bytes(zipped(pickled))
    with pytest.raises(CheckpointError, match=reason):
        read_file(tmp_path / "net.pth")


def one_tensor(size, stride, offset=0, numbers=4):
    """A checkpoint with one tensor of that geometry over so many numbers."""
    shape, steps = ("".join(f"I{n}\n" for n in numbers) for numbers in (size, stride))
    pickled = (
        "\x80\x02}X\x01\0\0\0actorch._utils\n_rebuild_tensor_v2\n"
        "((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x04tQ"
        f"I{offset}\n({shape}t({steps}tI00\n}}tRs."
    )
    return zipped(pickled.encode("latin-1"), _0=numpy.arange(numbers, dtype="<f4").tobytes())


@pytest.mark.parametrize(
    ("geometry", "reason"),
    [
        ({"size": (5,), "stride": (1,)}, "reaches beyond its 4 numbers"),
        ({"size": (2,), "stride": (4,)}, "reaches beyond"),
        ({"size": (1,), "stride": (1,), "offset": 4}, "reaches beyond"),
        ({"size": (2,), "stride": (1,), "offset": -1}, "no tensor has shape"),
        ({"size": (2,), "stride": (-1,)}, "no tensor has shape"),
        ({"size": (2, 2), "stride": (1,)}, "no tensor has shape"),
        ({"size": (4,), "stride": (1,), "numbers": 3}, "reaches beyond its 3 numbers"),
    ],
)
def test_tensors_outside_their_storage(tmp_path, geometry, reason):
    (tmp_path / "net.pth").write_bytes(one_tensor(**geometry))
    with pytest.raises(CheckpointError, match=reason):
        read_weights(tmp_path / "net.pth", None)[0]["a"].array()


def test_a_tensor_within_its_storage(tmp_path):
    (tmp_path / "net.pth").write_bytes(one_tensor((2, 2), (0, 2), 1))
    assert read_weights(tmp_path / "net.pth", None)[0]["a"].array().tolist() == [[1, 3], [1, 3]]


@pytest.mark.parametrize("is_zip", [True, False])
def test_cut_off_anywhere(tmp_path, is_zip):
    file = tmp_path / "net.pth"
    torch.save({"a": torch.randn(40), "b": torch.randn(3)}, file, _use_new_zipfile_serialization=is_zip)
    whole = file.read_bytes()
    for end in range(0, len(whole), 13):
        file.write_bytes(whole[:end])
        with pytest.raises(CheckpointError):
            [tensor.array() for tensor in read_weights(file, None)[0].values()]


def test_changed_bytes_end_in_numbers_or_a_reason(tmp_path):
    file = tmp_path / "net.pth"
    torch.save(OrderedDict(a=torch.randn(40), b=torch.randn(3)), file, _use_new_zipfile_serialization=False)
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :])
        try:
            found = read_weights(file, None)[0]
            assert all(tensor.array() is not None for tensor in found.values())
        except CheckpointError:
            pass


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("net.pth", b"", "empty"),
        ("net.pth", b"no weights at all", "was not written by torch.save"),
        ("net.pth", b"PK\x03\x04 and no more", "damaged or cut off"),
        ("net.pth", pickle.dumps({"a": 1}), "pickle was not written by torch.save"),
        ("net.npz", b"PK\x03\x04 and no more", "damaged or cut off"),
        ("net.pth", zipped(pickle.dumps([1, 2], 2)), "holds no dictionary of weights; it holds a list"),
        ("net.pth", zipped(pickle.dumps({"lr": 0.1}, 2)), "holds no dictionary of weights; it has lr"),
    ],
)
def test_other_files(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CheckpointError, match=reason):
        read_weights(tmp_path / name, None)


def test_more_than_one_dictionary_needs_a_name(tmp_path):
    torch.save({"generator": {"a": torch.ones(1)}, "critic": {"a": torch.ones(1)}}, tmp_path / "gan.pth")
    with pytest.raises(CheckpointError, match="generator, critic: name one of them with --key"):
        read_weights(tmp_path / "gan.pth", None)
    with pytest.raises(CheckpointError, match="no weights under 'other'"):
        read_weights(tmp_path / "gan.pth", "other")


def test_objects_of_torch_are_named(tmp_path):
    torch.save(LAYER, tmp_path / "net.pth")
    with pytest.raises(CheckpointError, match=r"torch\.nn\.modules\.linear\.Linear is refused"):
        read_weights(tmp_path / "net.pth", None)
    torch.jit.script(LAYER).save(tmp_path / "program.pt")
    with pytest.raises(CheckpointError, match="is a TorchScript program"):
        read_weights(tmp_path / "program.pt", None)
    numpy.savez(tmp_path / "objects.npz", a=numpy.array([{}], dtype=object))
    with pytest.raises(CheckpointError, match="allow_pickle"):
        read_weights(tmp_path / "objects.npz", None)


def test_compressed_entries_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "net.pth", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\0" * 10_000)
    with pytest.raises(CheckpointError, match="is compressed"):
        read_weights(tmp_path / "net.pth", None)
