"""Results of in-place calls are written back in the one form that views and tensors without dimensions take, too."""

from __future__ import annotations

from mindport.mapping.index import load_index


def test_whole_tensors_are_written_through_an_empty_index():
    rewrites = [
        (file, case.rewrite)
        for file, mapping in load_index().mappings()
        for case in mapping.cases
        if case.rewrite is not None
    ]
    assert sum(rewrite.startswith("$input[()] =") for _, rewrite in rewrites) > 100
    others = [pair for pair in rewrites if pair[1].startswith(("$input[:] =", "$input[...] ="))]
    assert not others
