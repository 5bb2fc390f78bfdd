"""send gives the yield expression its value; the return value comes out of `yield from`."""


def average():
    total, count = 0, 0
    while True:
        value = yield count
        if value is None:
            return total / count
        total += value
        count += 1


def outer(results):
    results.append((yield from average()))
    yield "done"


results = []
run = outer(results)
steps = [next(run), run.send(10), run.send(20), run.send(None)]
answer_steps = steps
answer_results = results
