"""async for over an async generator, async comprehension, async with that swallows."""

import asyncio

log = []


class Manager:
    async def __aenter__(self):
        log.append("enter")
        return 7

    async def __aexit__(self, kind, value, traceback):
        log.append(kind is KeyError)
        return True


async def numbers(n):
    for i in range(n):
        yield i


async def one():
    return 1


async def main():
    async with Manager() as seven:
        raise KeyError
    total = 0
    async for i in numbers(3):
        total += i
    else:
        log.append("else")
    squares = [i * i async for i in numbers(4) if i % 2]
    return seven, total, squares, [await one() for _ in range(2)]


answer = asyncio.run(main())
answer_log = log
