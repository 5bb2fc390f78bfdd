"""Unknown values in the elements or the source of comprehensions, with what is still known."""
# given: n in (0, 2)

pairs = [(i, n) for i in range(3)]
answer_first_parts = [i for i, _ in pairs]
answer_pairs = pairs
answer_sum = sum(i for i, _ in pairs)
source = ["a"] + ["b"] * n + ["c"]
answer_upper = [s.upper() for s in source]
answer_ends = [source[0], source[-1]]
answer_set = {s for s in source if s != "b"}
answer_dict = {k: v for k, v in [("x", n), ("y", 1)]}["y"]
answer_lengths = {len(s) for s in source}
