"""What is expected of programs after a port: a program either surely fails at a stage, with the first place where it
does, or something is not known, or it is expected to train."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.checking.program_forecast import ProgramForecast
from mindport.checking.project import check_paths
from mindport.checking.survey import survey_paths
from mindport.config.settings import Settings
from mindport.model.target import Device, Mode, Target, Version
from mindport.report.programs import level_of, program_rows, programs_lines

TARGET = Target(Version.parse("2.10.0"), Device.CPU, Mode.PYNATIVE)
LEFT = "torch.distributed.get_backend()"  # nothing stands for it on the target

NET = """\
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        {init}

    def forward(self, x):
        {forward}
        return F.relu(self.fc(x))
"""
MAIN = """

def main():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    {before}
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(net(torch.ones(2, 3)), torch.zeros(2, 4))
        loss.backward()
        optimizer.step()
        {after}


if __name__ == "__main__":
    main()
"""
RECORDED = """\
import torch


class Agent:
    def __init__(self):
        self.alpha = torch.zeros(1, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.alpha], lr=0.1)

    def update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main():
    agent = Agent()
    agent.update((agent.alpha - 1).mean())


if __name__ == "__main__":
    main()
"""
TRAINING = "import torch\nimport torch.nn.functional as F\nfrom net import Net\n" + MAIN


def program(text: str = NET + MAIN, **parts: str) -> str:
    """The program with these parts; the others do nothing."""
    names = dict.fromkeys(("init", "forward", "before", "after"), "pass")
    return text.format(**names | parts)


def level(forecast: ProgramForecast | None) -> str:
    """What is said of a program, and the place that decides."""
    if forecast is None:
        return "no program"
    cause = forecast.deciding.cause
    where = f" {Path(cause.path).name}:{cause.line} {cause.what}" if cause is not None else ""
    return f"{level_of(forecast)}{where}"


def forecasts(folder: Path, files: dict[str, str]) -> dict[str, ProgramForecast | None]:
    """The forecast of each file, the same from `check` as for the report."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    paths = [str(folder / name) for name in files]
    checked = [one.program for one in check_paths(paths, Settings(), TARGET, str(folder), use_cache=False)]
    surveyed = [one.report.program for one in survey_paths(paths, Settings(), TARGET, str(folder))]
    assert checked == surveyed
    return dict(zip(files, checked, strict=True))


ONE_FILE = {
    "nothing is left": (program(), "expected to train"),
    "a setting that torch does not have, and a device around a block, which no fix leaves": (
        program(
            before="torch.cuda.cudnn_enabled = False\n    with torch.device('cpu'):\n        torch.ones(2)"
        ),
        "expected to train",
    ),
    "a tensor that asks for its gradient, in a program that is recorded": (
        RECORDED,
        "expected to train",
    ),
    "left where the network is made": (
        program(init=f"self.n = {LEFT}"),
        "will not build train.py:10 torch.distributed.get_backend",
    ),
    "left where the network runs": (
        program(forward=f"x = x * {LEFT}"),
        "will not run forward train.py:13 torch.distributed.get_backend",
    ),
    "left before the network runs": (
        program(before=f"print({LEFT})"),
        "will not build train.py:20 torch.distributed.get_backend",
    ),
    "left behind the first step": (
        program(after=f"print({LEFT})"),
        "will not train train.py:26 torch.distributed.get_backend",
    ),
    "left in what is applied to the network": (
        program(init="self.apply(drawn)").replace(
            "def main", f"def drawn(m):\n    print({LEFT})\n\n\ndef main"
        ),
        "will not build train.py:18 torch.distributed.get_backend",
    ),
    "behind a condition": (
        program(init=f"self.n = 1 if len(self.__dict__) else {LEFT}"),
        "may not build train.py:10 torch.distributed.get_backend",
    ),
    "where an error may be caught": (
        program(before=f"try:\n        print({LEFT})\n    except Exception:\n        pass"),
        "may not build train.py:21 torch.distributed.get_backend",
    ),
    "behind a return": (
        program(forward=f"if len(x) > 2:\n            return x\n        x = x * {LEFT}"),
        "may not run forward train.py:15 torch.distributed.get_backend",
    ),
    "in a function that is only handed on": (
        program(before=f"print(lambda: {LEFT})"),
        "may not build train.py:20 torch.distributed.get_backend",
    ),
    "in a function that nobody names": (
        program(NET + f"\n\ndef size():\n    return {LEFT}\n" + MAIN),
        "expected to train",
    ),
    "in a method that nobody is seen to call": (
        program(NET + f"\n    def export(self):\n        return {LEFT}\n" + MAIN),
        "may not run forward train.py:17 torch.distributed.get_backend",
    ),
    "in an annotation": (
        program(NET + "\n\ndef size(group: torch.distributed.ProcessGroup): ...\n" + MAIN),
        "expected to train",
    ),
    "a base that is not there, of a class that nobody makes": (
        program(
            "import torch.distributed as dist\n" + NET + "\n\nclass Group(dist.Store):\n    pass\n" + MAIN
        ),
        "expected to train",
    ),
    "a base that is not there, of a class that derives further": (
        program(
            "import torch.distributed as dist\n"
            + NET
            + "\n\nclass Group(dist.Store):\n    pass\n\n\nclass Mine(Group):\n    pass\n"
            + MAIN,
            before="print(Mine())",
        ),
        "may not build train.py:18 torch.distributed.Store",
    ),
    "a base that is not there, of a class that somebody makes": (
        program(
            "import torch.distributed as dist\n" + NET + "\n\nclass Group(dist.Store):\n    pass\n" + MAIN,
            before="print(Group())",
        ),
        "may not build train.py:18 torch.distributed.Store",
    ),
    "one of several networks": (
        program(
            NET
            + "\n\nclass Other(Net):\n    def forward(self, x):\n        return self.fc(x[:1]) * (x > 0)[:, :1]\n"
            + MAIN,
            before="if len(dir()) > 3:\n        net = Other()",
        ),
        "expected to train",
    ),
    "the gradient of a penalty that its caller takes": (
        program(
            NET
            + "\n\ndef penalty(out, x):\n"
            + "    slopes = torch.autograd.grad(out.sum(), x, create_graph=True)[0]\n"
            + "    return (slopes.norm(2, dim=1) - 1).pow(2).mean()\n"
            + MAIN.replace(
                "        loss.backward()",
                "        x = torch.ones(2, 3).requires_grad_()\n"
                + "        out = net(x)\n        loss = loss + penalty(out, x)\n        loss.backward()",
            ),
        ),
        "expected to train",
    ),
    "code found by its name": (
        program(before="__import__(input())"),
        "may not build train.py:20 __import__",
    ),
    "a method of torch's tensors of a value of unknown type": (
        program(before="open('x').thing.eval()"),
        "may not build train.py:20 .eval()",
    ),
    "a library built on torch": (program("import kornia\n" + NET + MAIN), "may not import train.py:1 kornia"),
    "a library that nothing is used of": (program("import timm\n" + NET + MAIN), "expected to train"),
    "parts of a library that come along": (
        program(
            "from timm.layers import DropPath\n" + NET + MAIN, before="net.add_module('d', DropPath(0.1))"
        ),
        "expected to train",
    ),
    "functions of a library that helpers stand for": (
        program("from einops import rearrange, repeat\n" + NET + MAIN, forward="x = repeat(x, 'b c -> b c')"),
        "expected to train",
    ),
    "a layer of a library that a helper stands for": (
        program(
            "from einops.layers.torch import Rearrange\n" + NET + MAIN,
            init="self.order = Rearrange('b c -> b c')",
        ),
        "expected to train",
    ),
    "a library of which helpers stand for all that is called": (
        program("import einops\n" + NET + MAIN, forward="x = einops.reduce(x, 'b c -> b c', 'sum')"),
        "expected to train",
    ),
    "a library of which helpers stand for a part": (
        program("import einops\n" + NET + MAIN, before="einops.parse_shape(torch.ones(2, 3), 'b c')"),
        "may not import train.py:1 einops",
    ),
    "a function of such a library that no helper stands for": (
        program("from einops import rearrange, asnumpy\n" + NET + MAIN),
        "may not import train.py:1 einops.asnumpy",
    ),
    "a library built on torch that is surely used": (
        program(before="import timm\n    timm.create_model('vit')"),
        "may not build train.py:21 timm.create_model",
    ),
    "a library built on torch that may be used": (
        program(before="if len(net.__dict__):\n        import timm\n        timm.create_model('vit')"),
        "may not build train.py:22 timm.create_model",
    ),
    "an unsafe fix that takes a call out": (program(before="net.cuda()"), "expected to train"),
    "an unsafe fix that was run and agreed": (
        program(before="net = torch.nn.DataParallel(net)"),
        "expected to train",
    ),
    "an unsafe fix that nobody ran": (
        program(before="torchvision.models.resnet50()").replace(
            "import torch\n", "import torch, torchvision\n", 1
        ),
        "may not build train.py:20 torchvision.models.resnet50",
    ),
    "an unsafe fix that nobody ran, behind a condition": (
        program(before="if len(net.__dict__):\n        torchvision.models.resnet50()").replace(
            "import torch\n", "import torch, torchvision\n", 1
        ),
        "may not build train.py:21 torchvision.models.resnet50",
    ),
    "a guess that changes nothing": (
        program(before="print(vars(net)['scale'].reshape(1, -1), flat(vars(net)['bias']))").replace(
            "import torch\n", "import torch\n\n\ndef flat(x):\n    return x.reshape(1, -1)\n\n\n", 1
        ),
        "expected to train",
    ),
    "a guess about a network, which a port takes": (
        program(before="vars(net)['fc'].train()"),
        "may not build train.py:20 torch.nn.Module.train",
    ),
    "a guess by a name that only torch has": (
        program(before="print(vars(net)['fc'].cpu(), vars(net)['fc'].state_dict())"),
        "expected to train",
    ),
    "a guess by a name that only torch has, and the project": (
        program(before="print(vars(net)['fc'].cpu())")
        + "\n\nclass Kept:\n    def cpu(self):\n        return self\n",
        "may not build train.py:20 torch.Tensor.cpu",
    ),
    "what needs GPUs, behind a condition": (
        program(before="if len(net.__dict__):\n        torch.cuda.Stream()"),
        "expected to train",
    ),
    "what needs GPUs": (
        program(before="torch.cuda.Stream()"),
        "will not build train.py:20 torch.cuda.Stream",
    ),
    "an unsafe fix that was run without its gradient": (
        program(forward="torch.sinc(x)"),
        "may not run forward train.py:13 torch.sinc",
    ),
    "a member that is there, of which something is to be known": (
        program(after="print(optimizer.param_groups[0]['lr'])"),
        "expected to train",
    ),
    "a member that is gone, behind a condition": (
        program(forward="if len(x) > 2:\n            print(self._backward_hooks)"),
        "may not run forward train.py:14 torch.nn.Module._backward_hooks",
    ),
    "a class that is left, in a test": (
        program(forward="print(isinstance(x, torch.cuda.FloatTensor))"),
        "expected to train",
    ),
    "a name that is left, of which a part is written": (
        program(before="print([torch.distributed.ReduceOp.SUM])"),
        "expected to train",
    ),
    "a member of what is not known": (
        program(before="print(open('x').thing.running_mean)"),
        "expected to train",
    ),
    "a method with a name that the project gives itself": (
        program(init="self.relu = open('x').thing", forward="x = self.relu(x)"),
        "expected to train",
    ),
    "left behind the first network, before gradients": (
        program(before=f"net(torch.ones(2, 3))\n    print({LEFT})"),
        "will not train train.py:21 torch.distributed.get_backend",
    ),
    "left behind the network of a program that does not train": (
        program(
            NET + f'\n\nif __name__ == "__main__":\n    print(Net()(torch.ones(2, 3)))\n    print({LEFT})\n'
        ),
        "will not run forward train.py:19 torch.distributed.get_backend",
    ),
    "only a network, and nothing that starts it": (program(NET), "no program"),
    "nothing of torch": ('if __name__ == "__main__":\n    print("hello")\n', "no program"),
    "a script that is not guarded": (
        program(NET + MAIN).replace('if __name__ == "__main__":\n    main()', "main()"),
        "expected to train",
    ),
    "a script that only runs a network": (
        program(NET + '\n\nif __name__ == "__main__":\n    print(Net()(torch.ones(2, 3)))\n'),
        "expected to run forward",
    ),
}


ON_GPU = [
    "use_cuda",
    "args.cuda",
    "opt.gpu_ids",
    "torch.cuda.is_available()",
    "torch.cuda.device_count() > 1",
    "device.type == 'cuda'",
    "device.startswith('cuda')",
    "'cuda' in str(device)",
    "args.gpu is not None",
    "len(gpus) > 0 and last",
    "args.gpu >= 0 or use_cuda",
    "args.distributed",
    "args.ngpu > 1",
    "args.world_size > 1",
    "torch.distributed.is_available() and torch.distributed.is_initialized()",
]
ANYWHERE = [
    "args.no_cuda",
    "not use_cuda",
    "not torch.cuda.is_available()",
    "device.type == 'cpu'",
    "last or use_cuda",
    "args.gpu is None",
    "args.gpu < 1",
    "args.world_size > 0",
    "args.non_distributed",
    "args.distribution",
    "gpus == 0",
    "cudnn",
]


@pytest.mark.thorough
@pytest.mark.parametrize("test", ON_GPU + ANYWHERE)
def test_branch_that_only_a_gpu_leads_to(test: str, tmp_path: Path) -> None:
    given = "args, opt, device, gpus, use_cuda, cudnn, last, things"
    moved = f"def moved({given}):\n        if {test}:\n            things[0] = things[0].train()"
    chosen = f"def chosen({given}):\n        return {LEFT} if {test} else 0"
    for name, text, place in (
        ("moved.py", moved, "22 torch.nn.Module.train"),
        ("chosen.py", chosen, "21 torch.distributed.get_backend"),
    ):
        found = level(forecasts(tmp_path, {name: program(before=text)})[name])
        assert found == ("expected to train" if test in ON_GPU else f"may not build {name}:{place}")


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        (Device.CPU, "expected to train"),
        (Device.ASCEND, "may not import train.py:3 torch.distributed.get_backend"),
    ],
)
def test_branch_of_gpus_counts_where_the_target_has_something_like_it(
    device: Device, expected: str, tmp_path: Path
) -> None:
    target = Target(Version.parse("2.10.0"), device, Mode.PYNATIVE)
    text = f"import torch, sys\nif sys.gpus:\n    print({LEFT})\n{program()}"
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    (checked,) = check_paths([str(tmp_path / "train.py")], Settings(), target, str(tmp_path), use_cache=False)
    assert level(checked.program) == expected


@pytest.mark.parametrize("name", ONE_FILE)
def test_program_of_one_file(name: str, tmp_path: Path) -> None:
    text, expected = ONE_FILE[name]
    assert level(forecasts(tmp_path, {"train.py": text})["train.py"]) == expected


IMPORTED = {
    "computes with what is left when it is imported": (
        program(NET) + f"\n\nSIZE = {LEFT}\n",
        "will not import net.py:17 torch.distributed.get_backend",
    ),
    "computes so in a function that is called when it is imported": (
        program(NET) + f"\n\ndef size():\n    return {LEFT}\n\n\nSIZE = size()\n",
        "will not import net.py:18 torch.distributed.get_backend",
    ),
    "is a script that needs torch when it is run only": (
        program(NET) + f'\n\nif __name__ == "__main__":\n    print({LEFT})\n',
        "expected to train",
    ),
    "does without torch where that cannot be imported": (
        program(NET).replace(
            "import torch\n", "try:\n    import torch\nexcept ImportError:\n    torch = None\n", 1
        )
        + f"\n\ndef size():\n    return {LEFT}\n",
        "expected to train",
    ),
    "takes a gradient penalty, which is written anew": (
        program(NET, forward="pass")
        + """

def penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True, retain_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


penalty(Net(), torch.ones(2, 3), torch.ones(2, 3))
""",
        "expected to train",
    ),
    "names what is left as a default": (
        program(NET) + "\n\ndef size(of=torch.distributed.get_backend):\n    return of()\n",
        "may not build net.py:17 torch.distributed.get_backend",
    ),
}


@pytest.mark.parametrize("name", IMPORTED)
def test_program_whose_imported_file(name: str, tmp_path: Path) -> None:
    text, expected = IMPORTED[name]
    found = forecasts(tmp_path, {"train.py": program(TRAINING), "net.py": text})
    assert level(found["train.py"]) == expected


def test_files_that_a_program_does_not_import_and_tests_say_nothing(tmp_path: Path) -> None:
    files = {
        "train.py": program(TRAINING),
        "net.py": program(NET),
        "other.py": f"import torch\n\nclass A: ...\n\nSIZE = {LEFT}\n",
        "test_net.py": program(init=f"self.n = {LEFT}"),
    }
    found = forecasts(tmp_path, files)
    assert {name: level(one) for name, one in found.items()} == {
        "train.py": "expected to train",
        "net.py": "no program",
        "other.py": "no program",
        "test_net.py": "no program",
    }


def test_file_that_only_a_changed_path_leads_to_may_do_anything(tmp_path: Path) -> None:
    files = {
        "train.py": "import sys\nsys.path.append(input())\nfrom late import size\n"
        + program(before="size()"),
        "parts/late.py": "def size(): ...\n",
        "others/late.py": "def size(): ...\n",
    }
    assert level(forecasts(tmp_path, files)["train.py"]) == "may not import train.py:3 late"


def test_method_that_nobody_is_seen_to_call_counts(tmp_path: Path) -> None:
    for text, expected in (
        ("torchvision.models.resnet50()", "may not run forward net.py:18 torchvision.models.resnet50"),
        (
            "return torchvision.models.resnet50() if x else x",
            "may not run forward net.py:18 torchvision.models.resnet50",
        ),
    ):
        extra = f"\n    def export(self, x):\n        {text}\n"
        files = {
            "train.py": program(TRAINING),
            "net.py": program("import torchvision\n" + NET + extra),
        }
        assert level(forecasts(tmp_path, files)["train.py"]) == expected


CLASS_METHOD = """

class Own(Net):
    @{kind}
    def from_elsewhere({first}name="from_elsewhere_"):  # 别处 🙂
        return {left}, __import__("x").from_elsewhere(name)
"""


@pytest.mark.parametrize("kind", ["classmethod", "staticmethod"])
@pytest.mark.parametrize(
    ("before", "other", "expected"),
    [
        ("pass", "", "expected to train"),
        ("pass", "import train\ntrain.Own.from_elsewhere()\n", "expected to train"),  # no file of the program
        ("import other", "make = 'from_elsewhere'\n", "may not"),
        ("Own.from_elsewhere()", "", "will not build"),
        ("getattr(Own, 'from_elsewhere')()", "", "will not build"),
    ],
)
def test_a_method_of_a_class_counts_where_the_program_has_its_name(
    kind: str, before: str, other: str, expected: str, tmp_path: Path
) -> None:
    method = CLASS_METHOD.format(kind=kind, left=LEFT, first="cls, " if kind == "classmethod" else "")
    text = program(NET + "{own}" + MAIN, before=f"Own()\n    {before}", own=method)
    found = forecasts(tmp_path, {"train.py": text, "other.py": other})
    assert level(found["train.py"]).startswith(expected)


def test_file_that_a_function_imports_may_be_used(tmp_path: Path) -> None:
    files = {
        "train.py": program(before="import late\n    print(map(late.size, [1]))"),
        "late.py": f"import torch\n\n\ndef size(x):\n    return {LEFT}\n",
    }
    assert level(forecasts(tmp_path, files)["train.py"]) == (
        "may not build late.py:5 torch.distributed.get_backend"
    )


PACKAGES = {
    "of which nothing is left": (program(NET), "expected to run forward"),
    "of which a file will not be imported": (
        program(NET) + f"\n\nSIZE = {LEFT}\n",
        "will not import net.py:17 torch.distributed.get_backend",
    ),
    "of which a function may fail": (
        program(NET) + f"\n\ndef size():\n    return {LEFT}\n",
        "may not build net.py:18 torch.distributed.get_backend",
    ),
    "of which a network may fail": (
        program(NET, forward=f"x = x * {LEFT}"),
        "may not run forward net.py:13 torch.distributed.get_backend",
    ),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_package_that_nothing_starts(name: str, tmp_path: Path) -> None:
    text, expected = PACKAGES[name]
    files = {"nets/__init__.py": "from nets.net import Net\n", "nets/net.py": text}
    found = forecasts(tmp_path, files)
    assert level(found["nets/__init__.py"]) == expected
    assert found["nets/net.py"] is None


def test_package_beside_a_program_is_not_counted_for_itself(tmp_path: Path) -> None:
    files = {
        "train.py": program(TRAINING.replace("from net ", "from nets.net ")),
        "nets/__init__.py": "",
        "nets/net.py": program(NET),
    }
    found = forecasts(tmp_path, files)
    assert {name: level(one) for name, one in found.items()} == {
        "train.py": "expected to train",
        "nets/__init__.py": "no program",
        "nets/net.py": "no program",
    }


def test_steps_of_another_program_do_not_decide(tmp_path: Path) -> None:
    far = "def step(loss, keep):\n    loss.backward(inputs=keep)\n\n\n"
    files = {"train.py": program(), "far.py": program(NET + "\n\n" + far + MAIN, before="step(1, [])")}
    assert level(forecasts(tmp_path, files)["train.py"]) == "expected to train"


def test_stages_before_the_failing_one_are_expected(tmp_path: Path) -> None:
    found = forecasts(tmp_path, {"train.py": program(forward=f"x = x * {LEFT}")})["train.py"]
    assert found is not None
    said = [(one.stage.name, one.answer.value) for one in found.stages]
    assert said == [
        ("IMPORT", "expected"),
        ("BUILD", "expected"),
        ("FORWARD", "will not"),
        ("TRAIN", "will not"),
    ]


def test_closing_line_counts_programs_by_level(tmp_path: Path) -> None:
    files = {
        "good.py": program(),
        "a.py": program(init=f"self.n = {LEFT}"),
        "b.py": program(init=f"self.n = {LEFT}"),
    }
    found = forecasts(tmp_path, files)
    lines = list(programs_lines(list(program_rows(one for one in found.values() if one is not None))))
    what = "torch.distributed.get_backend"
    assert lines == [
        f"3 programs: 1 expected to train, 2 will not build ({tmp_path}/a.py:10 {what}, {tmp_path}/b.py:10 {what})"
    ]
    assert list(programs_lines([])) == []
