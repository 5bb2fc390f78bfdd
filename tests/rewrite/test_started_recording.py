"""A program without an optimizer is recorded from where the functions begin that take gradients."""

import pytest

from mindport.rewrite.started_recording import (
    has_no_start,
    is_part_without_start,
    is_script_without_start,
    with_recording_started,
)

HEAD = (
    "import mindspore\n\n\ndef torch_backward(loss):\n    TorchRecording.current().differentiate(loss)\n\n\n"
)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "def step(net, x):\n    '''中文 😀'''\n    loss = net(x)\n    torch_backward(loss)\n",
            "def step(net, x):\n    '''中文 😀'''\n    torch_record()\n    loss = net(x)\n    torch_backward(loss)\n",
        ),
        (
            "class Agent:\n    def learn(self, x):\n        def one():\n            torch_backward(x)\n        one()\n",
            "class Agent:\n    def learn(self, x):\n        torch_record()\n        def one():\n"
            "            torch_backward(x)\n        one()\n",
        ),
        (
            "for x in range(3):\n    grads = torch_grad(net(x), weights)\n",
            "torch_record()\nfor x in range(3):\n    grads = torch_grad(net(x), weights)\n",
        ),
        (  # the loss is computed before
            "'''中文 😀'''\nimport nets\nSIZE = 3\nnet = nets.Net(SIZE)\nloss = net(1)\ntorch_backward(loss)\n",
            "'''中文 😀'''\nimport nets\nSIZE = 3\ntorch_record()\nnet = nets.Net(SIZE)\nloss = net(1)\n"
            "torch_backward(loss)\n",
        ),
        (
            "net = Net()\nif asked:\n    torch_backward(net(1))\nif __name__ == '__main__':\n    y = net(1)\n"
            "    torch_backward(y)\n",
            "torch_record()\nnet = Net()\nif asked:\n    torch_backward(net(1))\nif __name__ == '__main__':\n"
            "    torch_record()\n    y = net(1)\n    torch_backward(y)\n",
        ),
        (
            "if __name__ == '__main__':\n    torch_backward(net(1))\n",
            "if __name__ == '__main__':\n    torch_record()\n    torch_backward(net(1))\n",
        ),
        (
            "def look(net, x, deep):\n    if deep:\n        x = torch_require_grad(x)\n    torch_backward(net(x))\n",
            "def look(net, x, deep):\n    torch_record()\n    if deep:\n        x = torch_require_grad(x)\n"
            "    torch_backward(net(x))\n",
        ),
        (
            "class Cam:\n    def look(self, x):\n        torch_backward(x)\n"
            "x = torch_require_grad(x)\ntorch_backward(x)\n",
            "class Cam:\n    def look(self, x):\n        torch_record()\n        torch_backward(x)\n"
            "x = torch_require_grad(x)\ntorch_backward(x)\n",
        ),
    ],
)
def test_where_gradients_are_taken(code: str, expected: str) -> None:
    text = with_recording_started(HEAD + code)
    assert text.endswith("\n\n" + expected)
    assert text.count("def torch_record():") == 1
    assert not has_no_start([text])


@pytest.mark.parametrize(
    "code",
    [
        "def forward(net, x):\n    return net(x)\n",
        "def step(): torch_backward(loss)\n",  # no line of its own
        "print('torch_backward')\n",
        "def attack(net, x):\n    x = torch_require_grad(x)\n    torch_backward(net(x))\n",
        "x = torch_require_grad(x)\ntorch_backward(net(x))\n",
        "def broken(:\n    torch_backward(1)\n",
    ],
)
def test_what_stays(code: str) -> None:
    assert with_recording_started(HEAD + code) == HEAD + code


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["torch_backward(loss)\n", "x = 1\n"], True),
        (["torch_backward(loss)\n", "optimizer = torch_recorded(Adam)(net.trainable_params())\n"], False),
        (["def run(net, x):\n    y = net(x)\n    torch_zero_grad(net)\n    torch_backward(y)\n"], True),
        (["x = torch_require_grad(x)\n"], True),
        (["def torch_zero_grad(net):\n    torch_recorded\n"], True),  # the helper itself
        (["class Own(TorchOptimizer):\n    pass\n"], False),
        (["def broken(:\n    torch_recorded\n"], True),
    ],
)
def test_programs_without_a_start(texts: list[str], expected: bool) -> None:
    assert has_no_start(texts) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def cam(net, x):\n    torch_backward(net(x))\n\n\nif __name__ == '__main__':\n    cam()\n", True),
        ("torch_backward(net(1))\n", True),
        ("def cam(net, x):\n    torch_backward(net(x))\n", False),  # somebody imports it
        ("optimizer = torch_recorded(Adam)(weights)\ntorch_backward(net(1))\n", False),
        ("if __name__ == '__main__':\n    print('torch_backward')\n", False),
    ],
)
def test_scripts_beside_one_that_trains(text: str, expected: bool) -> None:
    assert is_script_without_start(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class Cam:\n    def look(self, x):\n        torch_backward(self.net(x))\n", True),
        ("def step(optimizer, x):\n    torch_backward(net(x))\n    optimizer.step()\n", False),
        ("optimizer = torch_recorded(Adam)(weights)\n\n\ndef look(x):\n    torch_backward(net(x))\n", False),
        ("def look(net, x):\n    return net(x)\n", False),
        ("def broken(:\n    torch_backward(1)\n", False),
    ],
)
def test_parts_that_may_run_before_an_optimizer_is_there(text: str, expected: bool) -> None:
    assert is_part_without_start(text) is expected
