"""Divisions by zero, wrong types and impossible conversions raise their own exceptions."""

names = []
for action in (
    lambda: 1 / 0,
    lambda: 1 % 0,
    lambda: 1.5 // 0,
    lambda: "a" + 1,
    lambda: "3" * "3",
    lambda: int("1.5"),
    lambda: [][0],
    lambda: {}["x"],
    lambda: 1 << -1,
    lambda: float(10**400),
    lambda: None + 1,
    lambda: (1).missing,
    lambda: len(5),
):
    try:
        names.append(action())
    except Exception as error:
        names.append(type(error).__name__)
answer = names
