import csv
import pathlib
import types


class TorchKeyAverages(list):
    """PyTorch's key_averages on the CPU: a row for each kind of operator, read from what the last profile wrote.

    Times are in microseconds. Profiles are looked for in the folders of the working directory."""

    def __init__(self):
        super().__init__()
        files = pathlib.Path().glob("*/*/FRAMEWORK/cpu_op_type_info_*.csv")
        newest = max(files, key=lambda file: file.stat().st_mtime)
        for row in csv.DictReader(newest.read_text(encoding="utf-8").splitlines()):
            count = int(row["type_occurrences"])
            total, mean = float(row["total_compute_time"]) * 1000, float(row["avg_time(ms)"]) * 1000
            times = {"cpu_time_total": total, "self_cpu_time_total": total, "cpu_time": mean}
            self.append(types.SimpleNamespace(key=row["op_type"], count=count, **times))

    def table(self, sort_by=None, row_limit=100, **unused):
        rows = sorted(self, key=lambda row: getattr(row, sort_by or "cpu_time_total", 0), reverse=True)
        lines = [f"{row.key:40}{row.cpu_time_total:>16.3f}us{row.count:>10}" for row in rows[:row_limit]]
        return "\n".join([f"{'Name':40}{'CPU total':>18}{'# of Calls':>10}", *lines])
