"""Several for and if clauses read like nested statements, from left to right."""

answer_pairs = [(a, b) for a in range(4) if a % 2 for b in range(a) if b != 1]
matrix = [[1, 2, 3], [4, 5, 6]]
answer_transposed = [[row[i] for row in matrix] for i in range(3)]
answer_flat = [v for row in matrix for v in row]
answer_dict = {key: len(key) for key in ("a", "bb", "cc")}
answer_last_wins = {n % 2: n for n in range(5)}
answer_set = {n // 2 for n in range(5)}
