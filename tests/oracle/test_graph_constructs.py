"""What mindport says of constructs in graph mode is what the installed MindSpore does with them."""

import importlib.util
import json
from pathlib import Path

import pytest

from mindport.registry.graph_mode import graph_constructs

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "measure_graph_constructs.py"

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("measure_graph_constructs", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_construct_does_what_is_claimed(script):
    pytest.importorskip("mindspore")
    constructs = json.loads(script.CONSTRUCTS.read_text())
    seen = script.measured(constructs)
    claimed = {name: construct.outcome for name, construct in graph_constructs().items()}
    assert {name: outcome for name, (outcome, _) in seen.items()} == claimed
