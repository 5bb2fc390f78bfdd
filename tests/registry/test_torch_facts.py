"""What the registry knows of torch: names, aliases, members, signatures, results."""

from __future__ import annotations

import pytest

from mindport.registry import TorchKind, torch_facts
from mindport.registry.returns import ReturnKind, Returns

FACTS = torch_facts()

KINDS = {
    "torch": TorchKind.MODULE,
    "torch.nn.functional": TorchKind.MODULE,
    "torch.backends.cudnn": TorchKind.MODULE,
    "torch.cat": TorchKind.FUNCTION,
    "torch.nn.functional.conv2d": TorchKind.FUNCTION,
    "torch.nn.init.kaiming_normal_": TorchKind.FUNCTION,
    "torch.linalg.norm": TorchKind.FUNCTION,
    "torch.cuda.is_available": TorchKind.FUNCTION,
    "torch.ops.aten.add": TorchKind.FUNCTION,
    "torch.multiprocessing.set_start_method": TorchKind.FUNCTION,
    "torch.nn.Linear": TorchKind.MODULE_CLASS,
    "torch.nn.modules.batchnorm._BatchNorm": TorchKind.MODULE_CLASS,
    "torch.optim.AdamW": TorchKind.OPTIMIZER_CLASS,
    "torch.optim.lr_scheduler.StepLR": TorchKind.SCHEDULER_CLASS,
    "torchvision.ops": TorchKind.MODULE,
    "torchvision.ops.box_iou": TorchKind.FUNCTION,
    "torchvision.ops.MLP": TorchKind.MODULE_CLASS,
    "torchvision.datasets.MNIST": TorchKind.CLASS,
    "torch.Tensor": TorchKind.TENSOR_CLASS,
    "torch.nn.Parameter": TorchKind.TENSOR_CLASS,
    "torch.FloatTensor": TorchKind.TENSOR_CLASS,
    "torch.cuda.FloatTensor": TorchKind.TENSOR_CLASS,
    "torch.autograd.Variable": TorchKind.TENSOR_CLASS,
    "torch.no_grad": TorchKind.CLASS,
    "torch.utils.data.DataLoader": TorchKind.CLASS,
    "torch.utils.tensorboard.SummaryWriter": TorchKind.CLASS,
    "torch.Tensor.view": TorchKind.METHOD,
    "torch.Tensor.__matmul__": TorchKind.METHOD,
    "torch.Tensor.add_": TorchKind.METHOD,
    "torch.Tensor.shape": TorchKind.ATTRIBUTE,
    "torch.finfo.eps": TorchKind.ATTRIBUTE,
    "torch.distributions.Categorical.probs": TorchKind.ATTRIBUTE,
    "torch.distributions.Categorical.entropy": TorchKind.METHOD,
    "torch.nn.BatchNorm2d.momentum": TorchKind.INSTANCE_ATTRIBUTE,
    "torch.nn.Linear.in_features": TorchKind.INSTANCE_ATTRIBUTE,
    "torch.float32": TorchKind.DTYPE,
    "torch.long": TorchKind.DTYPE,
    "torch.strided": TorchKind.LAYOUT,
    "torch.channels_last": TorchKind.MEMORY_FORMAT,
    "torch.pi": TorchKind.CONSTANT,
    "torch.backends.cudnn.benchmark": TorchKind.CONSTANT,
    "torch.backends.cuda.matmul.allow_tf32": TorchKind.CONSTANT,
    "torch.__version__": TorchKind.CONSTANT,
}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_kind(name: str, kind: TorchKind) -> None:
    assert FACTS.kind(name) is kind
    assert FACTS.canonical(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "tensor",
        "numpy.array",
        "torch.",
        "torch.nope",
        "torch.os",
        "torch.math",
        "torch.np",
        "torch.nn.Lineer",
        "torch.nn.CeLU",
        "torch.Tensor.viewas",
        "torch.Tensor.view.foo",
        "torch.nn.functional.np",
        "torch.nn.Linear.momentum",
        "torch.optim.AdaMax",
        "torchvision.models.resnet19",
        "torchaudio.transforms",
    ],
)
def test_names_that_torch_does_not_have(name: str) -> None:
    assert FACTS.canonical(name) is None
    assert FACTS.kind(name) is None
    assert FACTS.signatures(name) == ()
    assert FACTS.returns(name).kind is ReturnKind.UNKNOWN


CANONICAL = {
    "torch.nn.modules.linear.Linear": "torch.nn.Linear",
    "torch.nn.modules.Linear": "torch.nn.Linear",
    "torchvision.ops.boxes.nms": "torchvision.ops.nms",
    "torchvision.models.resnet.Bottleneck": "torchvision.models.resnet.Bottleneck",
    "torchvision.models.resnet.resnet50": "torchvision.models.resnet50",
    "torchvision.transforms.transforms.Compose": "torchvision.transforms.Compose",
    "torchvision.ops.MLP.train": "torch.nn.Module.train",
    "torch.nn.parameter.Parameter": "torch.nn.Parameter",
    "torch.nn.functional.Tensor": "torch.Tensor",
    "torch.torch.Tensor": "torch.Tensor",
    "torch.autograd.no_grad": "torch.no_grad",
    "torch.nn.parallel.DataParallel": "torch.nn.DataParallel",
    "torch.utils.data.dataset.Dataset": "torch.utils.data.Dataset",
    "torch.distributions.normal.Normal": "torch.distributions.Normal",
    "torch.functional.einsum": "torch.einsum",
    "torch.nn.Linear.train": "torch.nn.Module.train",
    "torch.nn.modules.linear.Linear.train": "torch.nn.Module.train",
    "torch.nn.Conv2d.forward": "torch.nn.Conv2d.forward",
    "torch.nn.LSTM.hidden_size": "torch.nn.LSTM.hidden_size",
    "torch.optim.SGD.zero_grad": "torch.optim.Optimizer.zero_grad",
    "torch.optim.SGD.param_groups": "torch.optim.Optimizer.param_groups",
    "torch.FloatTensor.view": "torch.Tensor.view",
    "torch.nn.Parameter.shape": "torch.Tensor.shape",
    # names with a page of their own stay
    "torch.concat": "torch.concat",
    "torch.int64": "torch.int64",
    "torch.conv2d": "torch.conv2d",
    "torch.cuda.amp.autocast": "torch.cuda.amp.autocast",
}


@pytest.mark.parametrize(("spelled", "canonical"), CANONICAL.items())
def test_canonical(spelled: str, canonical: str) -> None:
    assert FACTS.canonical(spelled) == canonical
    assert FACTS.canonical(canonical) == canonical


def test_every_alias_and_base_leads_to_a_name() -> None:
    for name in FACTS.class_names():
        for base in FACTS.bases(name):
            assert FACTS.kind(base) is not None, (name, base)
            assert FACTS.canonical(base) == base


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("torch.concat", "torch.cat"),
        ("torch.long", "torch.int64"),
        ("torch.nn.functional.conv2d", "torch.conv2d"),
        ("torch.absolute", "torch.abs"),
        ("torch.cat", None),
        ("torch.float32", None),
    ],
)
def test_same_as(name: str, other: str | None) -> None:
    assert FACTS.same_as(name) == other


def parameters(name: str, overload: int = 0) -> list[tuple[str, str | None]]:
    return [(each.name, each.default) for each in FACTS.signatures(name)[overload].parameters]


def test_overloads_of_max() -> None:
    names = [[parameter.name for parameter in each.parameters] for each in FACTS.signatures("torch.max")]
    assert names == [["input", "out"], ["input", "other", "out"], ["input", "dim", "keepdim", "out"]]
    pair = FACTS.signatures("torch.max")[2].returns
    assert (pair.kind, pair.fields) == (ReturnKind.TUPLE, ("values", "indices"))
    assert FACTS.returns("torch.max").kind is ReturnKind.UNKNOWN


def test_overloads_of_sum_and_view() -> None:
    assert [name for name, _ in parameters("torch.sum", 1)] == ["input", "dim", "keepdim", "dtype", "out"]
    assert [len(each.parameters) for each in FACTS.signatures("torch.Tensor.view")] == [1, 1, 1]
    assert FACTS.signatures("torch.Tensor.view")[2].parameters[0].name == "size"
    assert all(name != "self" for name, _ in parameters("torch.Tensor.sum"))


def test_defaults() -> None:
    conv = dict(parameters("torch.nn.Conv2d"))
    assert conv["in_channels"] is None
    assert (conv["stride"], conv["padding"], conv["bias"]) == ("1", "0", "True")
    assert conv["padding_mode"] == "'zeros'"
    assert dict(parameters("torch.nn.functional.gelu"))["approximate"] == "'none'"
    assert dict(parameters("torch.nn.LayerNorm"))["eps"] == "1e-05"
    assert dict(parameters("torch.nn.BatchNorm2d"))["momentum"] == "0.1"
    assert dict(parameters("torch.optim.Adam"))["lr"] == "0.001"


RETURNS = {
    "torch.cat": ReturnKind.TENSOR,
    "torch.tensor": ReturnKind.TENSOR,
    "torch.split": ReturnKind.SEQUENCE,
    "torch.topk": ReturnKind.TUPLE,
    "torch.linalg.svd": ReturnKind.TUPLE,
    "torch.is_tensor": ReturnKind.BOOL,
    "torch.numel": ReturnKind.INT,
    "torch.save": ReturnKind.NONE,
    "torch.nn.functional.relu": ReturnKind.TENSOR,
    "torch.nn.LSTM.forward": ReturnKind.TUPLE,
    "torch.nn.Module.train": ReturnKind.SELF,
    "torch.nn.Linear": ReturnKind.INSTANCE,
    "torch.nn.Linear.weight": ReturnKind.TENSOR,
    "torch.Tensor.shape": ReturnKind.SIZE,
    "torch.Tensor.dtype": ReturnKind.DTYPE,
    "torch.distributions.Categorical.probs": ReturnKind.TENSOR,
    "torch.distributions.MultivariateNormal.precision_matrix": ReturnKind.TENSOR,
    "torch.Tensor.device": ReturnKind.DEVICE,
    "torch.Tensor.norm": ReturnKind.TENSOR,
    "torch.Tensor.__len__": ReturnKind.INT,
    "torch.Tensor.__add__": ReturnKind.TENSOR,
    "torch.Tensor.tolist": ReturnKind.SEQUENCE,
    "torch.zeros": ReturnKind.TENSOR,
    "torch.float32": ReturnKind.DTYPE,
    "torch.FloatTensor": ReturnKind.TENSOR,
    "torch.Tensor.size": ReturnKind.UNKNOWN,  # torch.Size, or int with an argument
}


@pytest.mark.parametrize(("name", "kind"), RETURNS.items())
def test_returns(name: str, kind: ReturnKind) -> None:
    assert FACTS.returns(name).kind is kind


def test_lstm_gives_a_nested_tuple() -> None:
    tensor = Returns(ReturnKind.TENSOR)
    state = Returns(ReturnKind.TUPLE, items=(tensor, tensor))
    assert FACTS.returns("torch.nn.LSTM.forward").items == (tensor, state)


def test_members() -> None:
    members = FACTS.members("torch.nn.Conv2d")
    assert {"weight", "bias", "stride", "forward", "train", "parameters", "training"} <= members.keys()
    assert not {"momentum", "view", "shape"} & members.keys()
    assert FACTS.members("torch.nope") == {}
    assert FACTS.is_subclass("torch.nn.LSTM", "torch.nn.RNNBase")
    assert FACTS.is_subclass("torch.nn.LSTM", "torch.nn.Module")
    assert not FACTS.is_subclass("torch.nn.Module", "torch.nn.LSTM")
    assert FACTS.is_module_class("torch.nn.LSTM") and not FACTS.is_module_class("torch.optim.SGD")


def test_deprecated() -> None:
    assert FACTS.deprecated("torch.cuda.amp.GradScaler") == "torch.amp.GradScaler"
    assert FACTS.deprecated("torch.cat") is None


def test_extent() -> None:
    assert len(list(FACTS.names())) > 7000
    assert len(FACTS.members("torch.Tensor")) > 600
    modules = [name for name in FACTS.class_names() if FACTS.is_module_class(name) and name.count(".") == 2]
    assert len(modules) > 150


@pytest.mark.parametrize(
    ("name", "version", "parameters"),
    [
        ("torch.rfft", "1.8.0", ["input", "signal_ndim", "normalized", "onesided"]),
        ("torch.Tensor.rfft", "1.8.0", ["signal_ndim", "normalized", "onesided"]),
        ("torch.symeig", "2.0.0", ["input", "eigenvectors", "upper", "out"]),  # still there, and raises
        ("torch.set_deterministic", "", ["d"]),  # nobody looked the version up
    ],
)
def test_removed_names_keep_their_signatures(name: str, version: str, parameters: list[str]) -> None:
    assert FACTS.removed(name) == version
    assert FACTS.canonical(name) == name
    assert [each.name for each in FACTS.signatures(name)[0].parameters] == parameters


@pytest.mark.parametrize("name", ["torch.add", "torch.fft", "torch.Tensor.add", "torch.no_such_name", ""])
def test_other_names_are_not_removed(name: str) -> None:
    assert FACTS.removed(name) is None


def test_what_uses_of_removed_names_give() -> None:
    assert FACTS.returns("torch.irfft").kind is ReturnKind.TENSOR
    assert FACTS.member("torch.Tensor", "rfft") == "torch.Tensor.rfft"
    assert FACTS.member("torch.nn.Parameter", "rfft") == "torch.Tensor.rfft"
    assert FACTS.kind("torch._six") is TorchKind.MODULE


def test_functions_that_take_images_do_not_say_tensor() -> None:
    (flip,), (area,) = (
        FACTS.signatures(f"torchvision.{name}") for name in ("transforms.functional.hflip", "ops.box_area")
    )
    assert flip.parameters[0].annotation == "" and flip.returns.kind is ReturnKind.UNKNOWN
    assert area.parameters[0].annotation == "Tensor" and area.returns.kind is ReturnKind.TENSOR
