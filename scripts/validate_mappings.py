"""Check mapping files: one line per problem with its key path; exits 1 if there is any."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from mindport.mapping.catalogue import check_catalogue  # noqa: E402
from mindport.mapping.coverage import not_judged, shared_advice  # noqa: E402
from mindport.mapping.index import load_index  # noqa: E402
from mindport.registry.core_names import core_names  # noqa: E402


def main() -> int:
    """Check the named files, or all; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="mapping files (all of mappings/ without names)")
    parser.add_argument(
        "--evidence", action="store_true", help="ask every `fix: safe` for an agreeing run too"
    )
    lists = parser.add_mutually_exclusive_group()
    lists.add_argument(
        "--not-judged",
        nargs="?",
        const="",
        metavar="PREFIX",
        help="only list the core names without a verdict",
    )
    lists.add_argument(
        "--shared-advice",
        nargs="?",
        const="",
        metavar="PREFIX",
        help="only list advice of `none` cases that serves more than ten names",
    )
    options = parser.parse_args()
    if options.not_judged is not None:
        return list_not_judged(options.not_judged)
    if options.shared_advice is not None:
        return list_shared_advice(options.shared_advice)
    paths = [path.resolve() for path in options.files]
    files, problems = check_catalogue(ROOT / "mappings", paths or None, options.evidence)
    shared = {} if paths else shared_advice(load_index())
    texts = [f"{len(names)} names share {text!r}" for text, names in shared.items()]
    for problem in (*problems, *texts):
        print(problem)
    print(f"{files} files, {len(problems) + len(texts)} problems", file=sys.stderr)
    return 1 if problems or texts else 0


def list_not_judged(prefix: str) -> int:
    """Print the core names below `prefix` that nobody judged, and how many there are in each namespace."""
    core = [name for name in core_names() if name.startswith(prefix)]
    gaps = not_judged(load_index(), core)
    for name in gaps:
        print(name)
    counts = Counter(name.rpartition(".")[0] for name in gaps)
    for owner, count in counts.most_common():
        print(f"{count:5} {owner}", file=sys.stderr)
    print(f"{len(gaps)} of {len(core)} core names are not judged", file=sys.stderr)
    return 1 if gaps else 0


def list_shared_advice(prefix: str) -> int:
    """Print the texts that serve more than ten names, of which at least one is below `prefix`."""
    shared = shared_advice(load_index())
    shown = {text: names for text, names in shared.items() if any(name.startswith(prefix) for name in names)}
    for text, names in sorted(shown.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):4} {text}\n     {' '.join(names)}")
    print(f"{len(shown)} texts serve more than ten names", file=sys.stderr)
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
