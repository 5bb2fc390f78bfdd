"""Which coroutine is awaited is unknown; the order of the others is known."""

# given: n in (0, 1)
import asyncio

log = []


async def work(name):
    log.append(name)
    return name


async def main():
    first = await work("first")
    second = await (work("a") if n else work("b"))
    return [first, second, await work("last")]


results = asyncio.run(main())
answer_first = results[0]
answer_results = results
answer_count = len(log)
answer_last = log[-1]
