"""What mindport says of options of compilation is what the installed MindSpore does with them."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from mindport.registry.compile_options import compile_options

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(SCRIPTS))
    try:
        spec = importlib.util.spec_from_file_location("options", SCRIPTS / "measure_compile_options.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPTS))
    return module


def test_each_option_does_what_is_claimed(script):
    pytest.importorskip("mindspore")
    options = json.loads(script.OPTIONS.read_text())
    seen = {option["name"]: script.measured(option["code"])[0] for option in options}
    assert seen == {option.name: option.outcome for option in compile_options()}
