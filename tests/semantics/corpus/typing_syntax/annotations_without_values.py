"""An annotation without a value binds nothing; one with a value is an assignment."""

from __future__ import annotations

x: int
y: list[Unknown] = [1]  # annotations are not evaluated here
holder = type("Holder", (), {})()
holder.a: int = 5
(z): int = 6


class C:
    a: int
    b: str = "b"


def f(n: int = 2, *rest: str) -> dict[str, int]:
    inner: int
    return {"n": n}


try:
    x
except NameError:
    unbound = True
answer = (unbound, y, holder.a, z, hasattr(C, "a"), C.b, f(), list(C.__annotations__), __annotations__["x"])
answer_f = f.__annotations__["n"]
