"""A return leaves all loops of its function, and the else of the inner one is skipped."""


def find(grid, wanted):
    visited = 0
    for y, row in enumerate(grid):
        for x, value in enumerate(row):
            visited += 1
            if value == wanted:
                return (y, x, visited)
        else:
            visited += 100
    return None


grid = [[1, 2], [3, 4]]
answer = (find(grid, 3), find(grid, 4), find(grid, 9))
