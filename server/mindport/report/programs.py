"""Programs in words: what `check` says of them at its end, and the report in its first table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mindport.checking.program_forecast import STAGE_WORDS, ProgramForecast, in_order
from mindport.model.language import later, say, translated
from mindport.report.program_rows import PlaceRow, ProgramRow, StageRow

_MOST_PLACES = 3
_COUNTED = (later("{count} program: {levels}"), later("{count} programs: {levels}"))


def level_of(program: ProgramForecast) -> str:
    """What is said of the program, in English: `will not import`, `expected to train`."""
    deciding = program.deciding
    return STAGE_WORDS[deciding.stage, deciding.answer]


def programs_lines(programs: Sequence[ProgramRow]) -> Iterator[str]:
    """One line for all programs of a run, what comes farthest first; none where there are none. Of each level some
    causes are named."""
    groups: dict[str, list[ProgramRow]] = {}
    for program in reversed(programs):
        groups.setdefault(program.level, []).append(program)
    if not groups:
        return
    levels = []
    for level, members in groups.items():
        places = dict.fromkeys(
            f"{one.cause} {one.what}" for one in reversed(members) if one.cause is not None
        )
        shown = [*list(places)[:_MOST_PLACES], *(["..."] if len(places) > _MOST_PLACES else [])]
        where = f" ({say(', ').join(shown)})" if shown else ""
        levels.append(f"{len(members)} {translated(level)}{where}")
    yield say(_COUNTED[len(programs) != 1], count=len(programs), levels=say(", ").join(levels))


def program_rows(programs: Iterable[ProgramForecast]) -> Iterator[ProgramRow]:
    """A row for each program, what certainly fails first. Paths are those of the forecasts."""
    for program in in_order(programs):
        stages = tuple(
            StageRow(
                stage=one.stage.name.lower(),
                answer=one.answer.value,
                cause=None if one.cause is None else PlaceRow(file=one.cause.path, line=one.cause.line),
                what="" if one.cause is None else one.cause.what,
                why="" if one.cause is None else one.cause.why,
            )
            for one in program.stages
        )
        deciding = stages[program.stages.index(program.deciding)]
        yield ProgramRow(
            file=program.path,
            level=level_of(program),
            cause=deciding.cause,
            what=deciding.what,
            why=deciding.why,
            stages=stages,
        )
