import json
import pathlib


def torch_export_chrome_trace(path):
    """PyTorch's export_chrome_trace on the CPU: when each operator ran, from what the last profile wrote.

    Profiles are looked for in the folders of the working directory."""
    files = pathlib.Path().glob("*/*/FRAMEWORK/cpu_op_execute_timestamp_*.txt")
    newest = max(files, key=lambda file: file.stat().st_mtime)
    events = []
    for line in newest.read_text(encoding="utf-8").splitlines():
        name, kind, runs = line.split(";")
        for run in runs.split():
            start, milliseconds, thread = run.split(",")
            times = {"ts": int(start) / 1000, "dur": float(milliseconds) * 1000}
            events.append({"name": name, "cat": kind, "ph": "X", "pid": 0, "tid": int(thread), **times})
    pathlib.Path(path).write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
