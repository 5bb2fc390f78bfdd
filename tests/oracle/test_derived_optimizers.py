"""A class of the project's own that derives from one of torch's optimizers steps as that one does, compiled, too, and
what it overrides is called."""

from __future__ import annotations

import json

import pytest

from loaded_frameworks import run_python
from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

RUN = """
import json

import mindspore


class Derived(torch_recorded_base({base})):
    steps = 0

    def __init__(self, params, rate):
        super().__init__(params, lr=rate)
        for group in self.param_groups:
            for parameter in group["params"]:
                self.state[parameter]["first"] = parameter.copy()

    def step(self, closure=None):
        self.steps += 1
        return super().step(closure)


class Further(Derived):
    def zero_grad(self):
        super().zero_grad()


found = []
for make in (torch_recorded({base}), Derived, Further):
    weight = mindspore.Parameter(mindspore.tensor([1.0, 2.0]), name="weight")
    optimizer = make([weight], 0.1)
    for step in range(3):
        optimizer.zero_grad()
        torch_backward((weight**2).sum())
        optimizer.step()
    found.append(weight.tolist())
assert isinstance(optimizer, Derived) and optimizer.steps == 3
assert optimizer.state[weight]["first"].tolist() == [1.0, 2.0]
optimizer.load_state_dict(optimizer.state_dict())
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    "base",
    ["TorchSGD", "TorchAdam", "mindspore.experimental.optim.AdamW", "mindspore.experimental.optim.RMSprop"],
)
def test_a_derived_optimizer_steps_as_its_base(tmp_path, base):
    pytest.importorskip("mindspore")
    helpers = "torch_backward, torch_recorded, torch_recorded_base, TorchSGD, TorchAdam"
    (tmp_path / "run.py").write_text(with_helpers(helpers) + RUN.format(base=base), encoding="utf-8")
    done = run_python(["run.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    plain, derived, further = json.loads(done.stdout.splitlines()[-1])
    assert plain == derived == further != [1.0, 2.0]
