"""What mindport says of constructs in graph mode is what the installed MindSpore does with them."""

import importlib.util
import json
from pathlib import Path

import pytest
from proved import Proved, todays_part

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
    """Those of which something changed since they last did, and a tenth of the others."""
    pytest.importorskip("mindspore")
    constructs = {one["name"]: one for one in json.loads(script.CONSTRUCTS.read_text())}
    claimed = {name: construct.outcome for name, construct in graph_constructs().items()}
    assert constructs.keys() == claimed.keys()
    measures = SCRIPT.read_text()
    proved = Proved(
        "graph_constructs", {name: f"{json.dumps(one)}\n{measures}" for name, one in constructs.items()}
    )
    names = proved.to_run(todays_part())
    seen = {
        name: outcome for name, (outcome, _) in script.measured([constructs[name] for name in names]).items()
    }
    if len(names) == len(constructs):
        proved.keep(name for name in names if seen[name] == claimed[name])
    assert seen == {name: claimed[name] for name in names}
