"""What became of each function: one class, the worst of its samples, and the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from function_bench.population import Function
from function_bench.trees import Remark

# From best to worst; a function is what its worst sample is.
EQUAL = "equal"
DTYPE = "other dtype"
NO_NUMBER = "no number in both, another"
NAMED = "named by a finding"
REVIEW = "different, to review"
RAISING = "raising"
GRADIENT = "silently another gradient"
SILENT = "silently different"
IMPORT = "file not imported"
TORCH = "torch could not run"
ORDER = (EQUAL, DTYPE, NO_NUMBER, NAMED, REVIEW, RAISING, GRADIENT, SILENT, IMPORT, TORCH)
_DIED = "died"
# What torch itself gives at these edges is seldom meant, and float64 many kernels refuse: they are counted beside.
FAR = ("infinite", "NaN", "no row", "float64")


class Judged(msgspec.Struct, frozen=True):
    """A function with its class, the sample that it comes from, and what is said of it; `far` is the class at the far
    edges, with what is said of them in `far_message`."""

    function: Function
    verdict: str
    edge: str = ""
    message: str = ""
    place: str = ""
    remark: str = ""
    samples: int = 0
    far: str = ""
    far_message: str = ""

    def joined(self, far: Judged) -> Judged:
        """With the class at the far edges."""
        return msgspec.structs.replace(
            self, far=far.far, far_message=far.far_message, samples=self.samples + far.samples
        )


def samples_of(inputs: dict[str, Any], is_far: bool) -> list[dict[str, Any]]:
    """The samples at the far edges, or the others."""
    return [sample for sample in inputs["samples"] if (sample["edge"] in FAR) == is_far]


def judged(
    function: Function,
    samples: Sequence[dict[str, Any]],
    outcome: dict[str, Any],
    remarks: Iterable[Remark],
    is_far: bool,
) -> Judged:
    """The class of one function by its ordinary samples, or by those at the far edges."""
    if "import" in outcome:
        worst = Judged(function, IMPORT, "", outcome["import"], _place(outcome["place"]))
    elif _DIED in outcome:
        worst = Judged(function, RAISING, "", outcome[_DIED])
    else:
        spans = [(file, first, last) for file, first, last in outcome["ran"]]
        mine = [one for one in remarks if any(one.file == f and a <= one.line <= b for f, a, b in spans)]
        rows = []
        for sample, one in zip(samples, outcome["outcomes"], strict=True):
            verdict, remark = _verdict(one, mine)
            place = _place(one.get("place", ("", 0)))
            rows.append(Judged(function, verdict, sample["edge"], one["message"], place, remark))
        worst = max(rows, key=lambda row: (ORDER.index(row.verdict), not row.edge))
        worst = msgspec.structs.replace(worst, samples=len(rows))
    if not is_far:
        return worst
    said = f"[{worst.edge}] {worst.message}"
    return Judged(function, EQUAL, samples=worst.samples, far=worst.verdict, far_message=said)


def _verdict(one: dict[str, Any], remarks: Sequence[Remark]) -> tuple[str, str]:
    kind = one["class"]
    if kind == "equal":
        return EQUAL, ""
    if kind == "dtype":
        return DTYPE, ""
    if kind == "no number":
        return NO_NUMBER, ""
    fails = [remark for remark in remarks if remark.section == "fails"]
    left = [remark for remark in remarks if remark.section == "left"]
    review = [remark for remark in remarks if remark.section == "review"]
    if kind == "raising":
        file, line = one["place"]
        here = [remark for remark in [*left, *review] if remark.file == file and abs(remark.line - line) <= 1]
        named = fails or here
        return (NAMED, _said(named[0])) if named else (RAISING, "")
    if fails or left:
        return NAMED, _said((fails or left)[0])
    if review:
        return REVIEW, _said(review[0])
    return (GRADIENT if kind == "gradient" else SILENT), ""


def _said(remark: Remark) -> str:
    return f"{remark.rule} {remark.file}:{remark.line} {remark.message}"


def _place(place: tuple[str, int]) -> str:
    return f"{place[0]}:{place[1]}" if place[0] else ""


def table(rows: Sequence[Judged]) -> str:
    """The counts by package, and the shares of what torch can run."""
    packages = sorted({row.function.package for row in rows})
    lines = [f"{'':32}" + f"{'all':>6}" + "".join(f"{name[:11]:>12}" for name in packages)]
    for verdict in ORDER:
        counts = Counter(row.function.package for row in rows if row.verdict == verdict)
        lines.append(
            f"{verdict:32}{sum(counts.values()):6}" + "".join(f"{counts[name]:12}" for name in packages)
        )
    ran = [row for row in rows if row.verdict not in (TORCH, IMPORT)]
    lines.append("")
    lines.append(
        f"{len(rows)} functions drawn, {len(ran)} run in both, {sum(row.samples for row in ran)} samples"
    )
    for verdict in ORDER[:-2]:
        far = sum(row.far == verdict for row in ran) / max(1, sum(bool(row.far) for row in ran))
        lines.append(
            f"  {verdict}: {sum(row.verdict == verdict for row in ran) / max(1, len(ran)):.2%}, at far edges {far:.2%}"
        )
    return "\n".join(lines)


def differences(rows: Sequence[Judged]) -> str:
    """Each function that is not equal, with its place and what is said."""
    lines = []
    for verdict in reversed(ORDER):
        mine = [row for row in rows if row.verdict == verdict and verdict not in (EQUAL, DTYPE)]
        if mine:
            lines += ["", f"## {verdict}: {len(mine)}"]
        for row in mine:
            edge = f" [{row.edge}]" if row.edge else ""
            lines.append(f"{row.function.place}{edge}: {row.message[:220]}")
            lines += [f"    {said[:200]}" for said in (row.place, row.remark) if said]
    far = [row for row in rows if row.far not in ("", EQUAL, DTYPE)]
    lines += ["", f"## at far edges: {len(far)}"]
    lines += [f"{row.function.place}: {row.far}: {row.far_message[:160]}" for row in far]
    return "\n".join(lines)
