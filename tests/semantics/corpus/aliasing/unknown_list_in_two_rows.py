"""An unknown condition makes two rows one list; a write to one may show in the other."""
# given: n in (0, 1)

row = [0, 0]
grid = [row, row if n else [0, 0]]
grid[0][0] = 1
answer_first = grid[0]
answer_second = grid[1]
answer_row = row
grid[1][1] = 2
answer_after = grid[0]
answer_item = grid[1][1]
answer_same = grid[0] is grid[1]
