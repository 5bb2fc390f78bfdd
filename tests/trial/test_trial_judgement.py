"""What the end of a process means: that it runs, that the port fails, or that something beside it is missing."""

import pytest

from mindport.prove.trial_judgement import Surroundings, judge_answer
from mindport.prove.trial_outcome import Status, TrialStage
from mindport.prove.trial_server import TaskAnswer, TaskEvent

FOR_DEVELOPERS = "\n\n-----------------------\n- C++ "
LINES = {"train.py": ["print(sys.argv[1])", "answer = input('go on? ')", "os.environ['DATA']", "x = y[3]"]}
AROUND = Surroundings(
    lambda module: module in ("model", "data"),
    lambda file, line: LINES.get(file, [""] * 9)[line - 1],
    4.0,
    2.0,
)
OSERROR = ("OSError", "Exception", "BaseException", "object")
IMPORT = ("ModuleNotFoundError", "ImportError", "Exception")


def judged(*events, is_entry=True, **answer):
    return judge_answer(TaskAnswer(tuple(events), **{"ending": "exit", **answer}), is_entry, AROUND)


def failed(*classes, line=4, **values):
    frames = values.pop("frames", (("train.py", line, "main"),))
    return TaskEvent("error", classes=classes, frames=frames, **{"stage": "build", **values})


@pytest.mark.parametrize(
    ("events", "reached"),
    [
        ((), ()),
        (("build",), (TrialStage.BUILD,)),
        (("build", "forward"), (TrialStage.BUILD, TrialStage.FORWARD)),
        (("build", "forward", "train"), (TrialStage.BUILD, TrialStage.FORWARD, TrialStage.TRAIN)),
    ],
)
@pytest.mark.parametrize("end", [TaskEvent("end"), TaskEvent("exit", code=0)])
def test_an_entry_that_comes_to_its_end_runs(events, reached, end):
    verdict = judged(*map(TaskEvent, events), end)
    assert (verdict.status, verdict.reached, verdict.stage) == (Status.RUNS, reached, None)


def test_an_import_has_one_stage():
    verdict = judged(TaskEvent("import"), TaskEvent("end"), is_entry=False)
    assert (verdict.status, verdict.reached) == (Status.RUNS, (TrialStage.IMPORT,))


def test_networks_that_an_import_builds_do_not_count():
    assert judged(TaskEvent("build"), TaskEvent("import"), TaskEvent("end"), is_entry=False).reached == (
        TrialStage.IMPORT,
    )


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (failed("FileNotFoundError", *OSERROR, message="[Errno 2] a.bin"), "data: FileNotFoundError: [Errno 2] a.bin"),
        (failed("NotADirectoryError", *OSERROR), "data: NotADirectoryError"),
        (failed("ValueError", message="x does not exist or is not a directory" + FOR_DEVELOPERS),
         "data: ValueError: x does not exist or is not a directory; give --args or --entry"),
        (failed("RuntimeError", message="Dataset not found or corrupted."), "data: RuntimeError"),
        (failed("URLError", *OSERROR), "a connection"),
        (failed("ConnectionRefusedError", "ConnectionError", *OSERROR), "a connection"),
        (failed(*IMPORT, module="cv2"), "the package cv2"),
        (failed(*IMPORT, module="skimage.io"), "the package skimage"),
        (failed("ImportError", "Exception", module="scipy.misc", message="cannot import name 'imsave'"),
         "another version of the package scipy: ImportError: cannot import name 'imsave'"),
        (failed("SystemExit", code=2, asks_for="needed: --data"), "arguments: needed: --data"),
        (failed("EOFError", line=2), "somebody who answers"),
        (failed("KeyError", message="'DATA'", frames=(("train.py", 3, ""), ("/usr/lib/os.py", 6, "__getitem__"))),
         "the environment variable 'DATA'"),
        (failed("EntryError", is_entry=True, message="x"), "another entry"),
    ],
)  # fmt: skip
def test_what_is_missing_beside_the_port_is_no_failure(event, said):
    verdict = judged(event)
    assert verdict.status is Status.NEEDS and f"needs {said}" in verdict.reason


@pytest.mark.parametrize(
    "event",
    [
        failed("AttributeError", message="'NoneType' object has no attribute 'tensor'"),
        failed(*IMPORT, module="torch"),
        failed(*IMPORT, module="torchvision.transforms"),
        failed(*IMPORT, module="timm.models"),  # stands on torch
        failed(*IMPORT, module="model.layers"),  # of the port itself
        failed(*IMPORT),
        failed("ImportError", "Exception", module="mindspore.ops", message="cannot import name 'x'"),
        failed("ImportError", "Exception", module="model", message="cannot import name 'x' from 'model'"),
        failed("ImportError", "Exception", message="libx.so: cannot open shared object file"),
        failed("IndexError", "LookupError", line=4),
        failed("SystemExit", code=3),
        failed("EOFError", line=4, message="Ran out of input"),
        failed("KeyError", message="'DATA'"),
        failed("RuntimeError", message=f"wrong{FOR_DEVELOPERS} x does not exist or is not a directory"),
        failed("OSError", message="[Errno 28] No space left on device"),
    ],
)  # fmt: skip
def test_anything_else_is_a_failure_of_the_port(event):
    verdict = judged(event)
    assert (verdict.status, verdict.stage) == (Status.FAILS, TrialStage.BUILD)


def test_what_mindspore_tells_its_developers_is_left_out():
    event = failed(
        "ValueError", message="shapes\n differ\n\n------------------------------\n- C++ Call Stack"
    )
    assert judged(event).error == "ValueError: shapes differ"


def test_the_places_of_a_compiled_function_are_in_its_message():
    message = (
        "no\n\n------------------------------\n# 0 In file net.py:7, 34~44\n  x\n# 1 In file b.py:9, 1~2\n"
    )
    calls = judged(failed("ValueError", message=message)).calls
    assert [(call.file, call.line) for call in calls] == [("train.py", 4), ("net.py", 7), ("b.py", 9)]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"ending": "time"}, "it took longer than 4 s"),
        ({"ending": "memory"}, "it took more than 2 GB"),
        ({"ending": "signal", "code": 11}, "SIGSEGV"),
        ({"ending": "signal", "code": 999}, "the signal 999"),
        ({"ending": "exit", "code": 70}, "exit code 70 and told nothing"),
        ({"ending": "lost"}, "it ended the process that watches it"),
    ],
)
@pytest.mark.parametrize(
    ("events", "stage"),
    [
        ((), TrialStage.BUILD),
        ((TaskEvent("build"),), TrialStage.FORWARD),
        ((TaskEvent("build"), TaskEvent("forward")), TrialStage.TRAIN),
    ],
)
def test_a_process_that_tells_no_end_fails_at_the_next_stage(answer, said, events, stage):
    verdict = judged(*events, **answer)
    assert (verdict.status, verdict.stage) == (Status.FAILS, stage) and said in verdict.reason


def test_an_exit_that_passes_everything_by_fails():
    verdict = judged(TaskEvent("build"), TaskEvent("exit", code=4))
    assert (verdict.status, verdict.stage) == (
        Status.FAILS,
        TrialStage.FORWARD,
    ) and "os._exit(4)" in verdict.reason


def test_who_has_trained_may_take_time():
    assert (
        judged(TaskEvent("build"), TaskEvent("forward"), TaskEvent("train"), ending="time").status
        is Status.RUNS
    )


def test_an_error_after_the_step_counts():
    verdict = judged(
        TaskEvent("build"), TaskEvent("forward"), TaskEvent("train"), failed("TypeError", stage="train")
    )
    assert (verdict.status, verdict.stage) == (Status.FAILS, TrialStage.TRAIN)
