"""Multiplying a list of lists repeats references: one change shows in every row."""

grid = [[0] * 2] * 3
grid[0][1] = 7
answer_shared = grid
separate = [[0] * 2 for _ in range(3)]
separate[0][1] = 7
answer_separate = separate
grid[1] = ["new"]
answer_mixed = grid
