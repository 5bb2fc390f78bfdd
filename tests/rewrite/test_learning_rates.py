"""The rates of MindSpore's optimizers are Parameters; where code reads one it gets the number."""

import pytest

from mindport.rewrite.learning_rates import with_numbers_for_rates

WRITTEN = {
    "a format": (
        "print('{:0.6f}'.format(optimizer.param_groups[0]['lr']))",
        "print('{:0.6f}'.format(float(optimizer.param_groups[0]['lr'])))",
    ),
    "an f-string": (
        """print(f"é {o.param_groups[0]['lr']:.5f} {o.param_groups[-1]['lr'] * 2}")""",
        """print(f"é {float(o.param_groups[0]['lr']):.5f} {float(o.param_groups[-1]['lr']) * 2}")""",
    ),
    "a variable": (
        "lr = self.optimizer.param_groups[i]['lr']",
        "lr = float(self.optimizer.param_groups[i]['lr'])",
    ),
    "a loop": (
        "def rate(o):\n    for group in o.param_groups:\n        return group['lr']",
        "def rate(o):\n    for group in o.param_groups:\n        return float(group['lr'])",
    ),
    "a counted loop": (
        "for i, g in enumerate(o.param_groups):\n    g['lr'] = 0.1 * g['lr']",
        "for i, g in enumerate(o.param_groups):\n    g['lr'] = 0.1 * float(g['lr'])",
    ),
    "a comprehension": (
        "rates = [g['lr'] for g in o.param_groups]",
        "rates = [float(g['lr']) for g in o.param_groups]",
    ),
    "a named group": (
        "g = o.param_groups[0]\nprint(g['lr'])",
        "g = o.param_groups[0]\nprint(float(g['lr']))",
    ),
    "of a scheduler": ("print(s.get_last_lr()[0])", "print(float(s.get_last_lr()[0]))"),
    "the last of a scheduler": ("lr = s.get_lr()[-1]", "lr = float(s.get_lr()[-1])"),
    "all of a scheduler": ("lrs = s.get_last_lr()", "lrs = [float(rate) for rate in s.get_last_lr()]"),
    # A step passes over whatever is no float.
    "a rate that is scaled": (
        "for g in o.param_groups:\n    g['lr'] *= 0.1",
        "for g in o.param_groups:\n    g['lr'] = float(g['lr']) * 0.1",
    ),
    "a rate that falls": (
        "def fall(o):\n    o.param_groups[0]['lr'] -= self.lr / n",
        "def fall(o):\n    o.param_groups[0]['lr'] = float(o.param_groups[0]['lr']) - (self.lr / n)",
    ),
    "a rate that grows": (
        "for g in o.param_groups:\n    g['lr']/=(a + b)  # é",
        "for g in o.param_groups:\n    g['lr'] = float(g['lr']) /(a + b)  # é",
    ),
    "a rate that is set": (
        "def rate(o, lr):\n    for g in o.param_groups:\n        g['lr'] = 0\n        g['lr'] = lr",
        "def rate(o, lr):\n    for g in o.param_groups:\n        g['lr'] = 0.0\n        g['lr'] = float(lr)",
    ),
    "a rate that is read and set": (
        "a, b = o.param_groups\nfor g in o.param_groups:\n    g['lr'] = schedule(g['lr'])\n    g['lr'] = g['first']",
        "a, b = o.param_groups\nfor g in o.param_groups:\n    g['lr'] = float(schedule(float(g['lr'])))\n"
        "    g['lr'] = float(g['first'])",
    ),
    "a variable that may be no float": (
        "lr = 0.1\nlr, b = args\nfor g in o.param_groups:\n    g['lr'] = lr",
        "lr = 0.1\nlr, b = args\nfor g in o.param_groups:\n    g['lr'] = float(lr)",
    ),
    "a rate of another group": (
        "a = o.param_groups[0]\nb = o.param_groups[1]\na['lr'] = b['lr']",
        "a = o.param_groups[0]\nb = o.param_groups[1]\na['lr'] = float(b['lr'])",
    ),
    "beside a nested function": (
        "def f(o):\n    def g():\n        return o.param_groups[0]['lr']\n    return g",
        "def f(o):\n    def g():\n        return float(o.param_groups[0]['lr'])\n    return g",
    ),
}
KEPT = {
    "a rate that is set to a float": "lr = 0.1\nfor g in o.param_groups:\n    g['lr'] = 0.1\n    g['lr'] = lr * 2",
    "a rate of another dictionary": "config['lr'] *= 0.1\nconfig['lr'] = 3",
    "a number already": "lr = float(o.param_groups[0]['lr'])\nlrs = [float(rate) for rate in s.get_last_lr()]",
    "asked for its number": "lr = o.param_groups[0]['lr'].item()",
    "another setting": "m = o.param_groups[0]['momentum']",
    "another dictionary": "print(config['lr'], o.param_groups)",
    "a group elsewhere": "def f(o):\n    for g in o.param_groups:\n        pass\ndef h(g):\n    return g['lr']",
    "of unknown places": "lr = s.get_lr()",
    "with arguments": "lr = s.get_lr(3)[0]",
    "a broken text": "o.param_groups[0]['lr'",
    "text": "'''o.param_groups[0][\"lr\"]'''",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=list(WRITTEN))
def test_numbers_are_read(before, after):
    assert with_numbers_for_rates(before) == after
    assert with_numbers_for_rates(after) == after


SCHEDULED = {
    "a rate that is set": (
        "import mindspore\no.param_groups[0]['lr'] = 1",
        "mindspore.ops.assign(o.param_groups[0]['lr'], 1)",
    ),
    "a variable": (
        "from mindspore import ops\nfor g in o.param_groups:\n    g['lr']=lr  # é",
        "for g in o.param_groups:\n    ops.assign(g['lr'],float(lr))  # é",
    ),
    "within parentheses": (
        "from mindspore import ops\ng = o.param_groups[0]\ng['lr'] = (\n    a + 0.5\n)",
        "g = o.param_groups[0]\nops.assign(g['lr'], (\n    a + 0.5\n))",
    ),
    "a rate that falls": (
        "from mindspore import ops\nfor g in o.param_groups:\n    g['lr'] *= 0.1",
        "for g in o.param_groups:\n    ops.assign(g['lr'], float(g['lr']) * 0.1)",
    ),
    "a rate that is computed": (
        "import mindspore as ms\nfor g in o.param_groups:\n    g['lr'] /= a + b; print(g['lr'])",
        "for g in o.param_groups:\n    ms.ops.assign(g['lr'], float(g['lr']) / (a + b)); print(float(g['lr']))",
    ),
    "the rate of another group": (
        "from mindspore import ops\na = o.param_groups[0]\nb = o.param_groups[1]\na['lr'] = b['lr']",
        "a = o.param_groups[0]\nb = o.param_groups[1]\nops.assign(a['lr'], float(b['lr']))",
    ),
    "another dictionary": ("import mindspore\nconfig['lr'] = 3", "config['lr'] = 3"),
    "several at once": (
        "import mindspore\nfor g in o.param_groups:\n    g['lr'] = g['first'] = lr",
        "for g in o.param_groups:\n    g['lr'] = g['first'] = lr",
    ),
}


@pytest.mark.parametrize(("before", "after"), SCHEDULED.values(), ids=list(SCHEDULED))
def test_a_scheduler_hears_of_rates_that_are_set(before, after):
    written = before.partition("\n")[0] + "\n" + after
    assert with_numbers_for_rates(before, is_scheduled=True) == written
    assert with_numbers_for_rates(written, is_scheduled=True) == written


def test_what_sets_a_rate_is_imported():
    text = '"""Rates."""\nimport os\n\nfor g in o.param_groups:\n    g["lr"] = 0.1\n'
    written = text.replace("os\n", "os\nimport mindspore\n").replace(
        'g["lr"] = 0.1', 'mindspore.ops.assign(g["lr"], 0.1)'
    )
    assert with_numbers_for_rates(text, is_scheduled=True) == written


@pytest.mark.parametrize("text", KEPT.values(), ids=list(KEPT))
def test_what_stays(text):
    assert with_numbers_for_rates(text) == text
