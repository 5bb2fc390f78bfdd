"""Finally runs on the way out by break, continue and return, inner ones first."""

log = []


def f():
    for i in range(5):
        try:
            try:
                if i == 0:
                    continue
                if i == 1:
                    return i
            finally:
                log.append(("inner", i))
        finally:
            log.append(("outer", i))


answer_value = f()
for _ in (1, 2):
    try:
        break
    finally:
        log.append("broken")
else:
    log.append("never")
answer = log
