"""A filter with an unknown condition: the length is unknown, other things hold."""
# given: n in (0, 2, 9)

kept = [v for v in (1, 2, 3) if v < n]
answer_kept = kept
answer_all = [v for v in (1, 2, 3) if v < 3 or n > 100 or True]
answer_none = [v for v in (1, 2, 3) if v > 5 and n]
answer_source = [v for v in (1, 2, 3)]
mapping = {k: n for k in "ab"}
answer_keys = list(mapping)
answer_dict = mapping
