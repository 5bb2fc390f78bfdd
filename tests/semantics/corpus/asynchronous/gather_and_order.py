"""Coroutines run when they are awaited; gather keeps the order of its arguments, not that of their ends."""

import asyncio

log = []


async def work(name, rounds):
    for i in range(rounds):
        log.append((name, i))
        await asyncio.sleep(0)
    return name * rounds


async def main():
    lazy = work("never started", 1)
    results = await asyncio.gather(work("a", 2), work("b", 1))
    lazy.close()
    task = asyncio.create_task(work("t", 1))
    log.append("created")
    return results + [await task]


answer = asyncio.run(main())
answer_log = log
