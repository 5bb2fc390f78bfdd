"""An optimizer takes as many steps for a parameter as it was listed times, as a part is that two networks share."""

from __future__ import annotations

import json

import pytest

from loaded_frameworks import run_python
from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

RUN = """
import copy
import json

import mindspore

first, second = (mindspore.Parameter(mindspore.tensor([1.0, -2.0]), name="same") for _ in range(2))
listed = [first, second, first, first]
optimizer = torch_recorded({kind})({groups}, lr=0.1)
found = []
for step in range(4):
    optimizer.zero_grad()
    torch_backward(((first - 3 * second) ** 2).sum() + step * first.sum())
    torch_clip_grad_norm_(listed, 2.0)
    optimizer.step()
    found.append(first.tolist() + second.tolist())
again = copy.deepcopy(optimizer)
found.append(len(again.param_groups[0]["params"]))
print(json.dumps(found))
"""
KINDS = {
    "SGD": "TorchSGD",
    "Adam": "TorchAdam",
    "AdamW": "TorchAdamW",
    "RMSprop": "TorchRMSprop",
    "Adagrad": "TorchAdagrad",
}


def of_torch(name):
    """The values of both parameters after each step in torch."""
    torch = pytest.importorskip("torch")
    first, second = (torch.nn.Parameter(torch.tensor([1.0, -2.0])) for _ in range(2))
    listed = [first, second, first, first]
    with pytest.warns(UserWarning, match="duplicate"):
        optimizer = getattr(torch.optim, name)(listed, lr=0.1)
    found = []
    for step in range(4):
        optimizer.zero_grad()
        (((first - 3 * second) ** 2).sum() + step * first.sum()).backward()
        torch.nn.utils.clip_grad_norm_(listed, 2.0)
        optimizer.step()
        found.append(first.tolist() + second.tolist())
    return found


@pytest.mark.parametrize("groups", ["listed", "[{'params': listed}]"])
@pytest.mark.parametrize("name", KINDS)
def test_what_is_listed_again_takes_further_steps(tmp_path, name, groups):
    if "{" in groups and name != "Adam":
        pytest.skip("one kind of optimizer tells about groups")
    text = with_helpers(f"torch_backward, torch_recorded, torch_clip_grad_norm_, {KINDS[name]}")
    text += RUN.format(kind=KINDS[name], groups=groups)
    (tmp_path / "run.py").write_text(text, encoding="utf-8")
    done = run_python(["run.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    *found, kept = json.loads(done.stdout.splitlines()[-1])
    assert kept == 2
    for ours, theirs in zip(found, of_torch(name), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-4, abs=1e-5)
