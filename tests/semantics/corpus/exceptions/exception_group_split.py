"""except* takes its part of a group; each clause may run, and the rest goes on."""
# python: 3.11

log = []
try:
    try:
        raise ExceptionGroup(
            "many", [ValueError(1), TypeError(2), ExceptionGroup("in", [ValueError(3), KeyError(4)])]
        )
    except* ValueError as group:
        log.append([type(e).__name__ for e in group.exceptions])
    except* TypeError as group:
        log.append(group.exceptions[0].args)
    finally:
        log.append("finally")
except ExceptionGroup as rest:
    log.append([type(e).__name__ for e in rest.exceptions[0].exceptions])
try:
    raise KeyError("plain")
except* KeyError as group:
    log.append(len(group.exceptions))
answer = log
