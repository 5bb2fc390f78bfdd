"""`mindport custom-op` and `mindport request-api`: what is written, refusals and exit codes."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from mindport.cli.main import main

CPU = ("--device", "CPU", "--target-version", "2.10")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_an_operator_goes_into_its_folder(capfd):
    assert (
        main(
            ["custom-op", "torch.cdist(a, b, p=1.0)", "--input", "rand(3, 5)", "--input", "rand(4, 5)", *CPU]
        )
        == 0
    )
    names = {file.name for file in Path("custom_ops").iterdir()}
    assert names == {"cdist.cc", "cdist.py", "test_cdist.py", "aten_kernel.h", "build.py"}
    assert "build.py cdist" in capfd.readouterr().err


def test_what_is_there_is_not_written_over(capfd):
    assert main(["custom-op", "torch.cdist", *CPU]) == 0
    Path("custom_ops/cdist.cc").write_text("mine")
    assert main(["custom-op", "torch.cdist", *CPU]) == 2
    assert Path("custom_ops/cdist.cc").read_text() == "mine"
    assert "--force" in capfd.readouterr().err
    assert main(["custom-op", "torch.linalg.ldl_factor", *CPU]) == 0  # shares the header and the build script
    assert main(["custom-op", "torch.cdist", "--force", *CPU]) == 0
    assert Path("custom_ops/cdist.cc").read_text() != "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["torch.linalg.ldl_factor", "--device", "Ascend"],
            "from official operators. To solve equations call",
        ),
        (["torch.cdist", "--device", "GPU"], "from official operators"),
        (["F.grid_sample"], "is no operator of ATen"),
        (["x +"], "is no call"),
        (["x"], "neither a name of torch nor a call"),
        (["x.logcumsumexp(n)"], "`dim` must be a plain value"),
        (["torch.cdist", "--input", "rand(2)"], "takes 2 tensors"),
        (["torch.erfinv", "--input", "exit()"], "is no sample input"),
        (["torch.erfinv", "-o", "/dev/null/x"], "cannot be written"),
    ],
)
def test_an_operator_that_cannot_be_written(capfd, arguments, said):
    assert main(["custom-op", *(CPU if "--device" not in arguments else ()), *arguments]) == 2
    assert said in capfd.readouterr().err
    assert not list(Path().iterdir())


def test_a_request_is_filled_in(capfd):
    assert main(["request-api", "torch.linalg.ldl_factor(A, hermitian=True)", *CPU]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("# Add an equivalent of torch.linalg.ldl_factor\n")
    for part in (
        "torch.linalg.ldl_factor(A, *, hermitian=False, out=None)",
        "A = torch.rand(4, 4)",
        "print(torch.linalg.ldl_factor(A, hermitian=True))",
        "`ops.cholesky` raises",
        "- MindSpore 2.10.0\n- CPU, pynative mode\n",
    ):
        assert part in out
    assert "https://gitee.com/mindspore/mindspore/issues" in err


def test_the_link_holds_title_and_text(capfd):
    assert main(["request-api", "torch.linalg.ldl_factor", *CPU]) == 0
    body = capfd.readouterr().out.partition("\n\n")[2]
    assert main(["request-api", "torch.linalg.ldl_factor", "--link", *CPU]) == 0
    query = parse_qs(urlsplit(capfd.readouterr().out.strip()).query)
    assert query == {"title": ["Add an equivalent of torch.linalg.ldl_factor"], "body": [body]}


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("F.relu", "has an equivalent of torch.nn.functional.relu"),
        ("torch.cat([a, b])", "has an equivalent of torch.cat"),
        ("torch.no_such_name", "no public name"),
        ("1 +", "no public name"),
    ],
)
def test_nothing_to_ask_for(capfd, subject, said):
    assert main(["request-api", subject, *CPU]) == 2
    out, err = capfd.readouterr()
    assert said in err and not out
