"""Check mapping files: `validate_mappings.py [FILE...]` (all of mappings/ without names). Prints one line
per problem with its key path; exits 1 if there is any. `--evidence` also asks every `fix: safe` for an
agreeing run."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from mindport.mapping.catalogue import check_catalogue  # noqa: E402


def main(arguments: list[str]) -> int:
    """Check the named files, or all; the exit status."""
    wants_evidence = "--evidence" in arguments
    paths = [Path(argument).resolve() for argument in arguments if not argument.startswith("-")]
    files, problems = check_catalogue(ROOT / "mappings", paths or None, wants_evidence)
    for problem in problems:
        print(problem)
    print(f"{files} files, {len(problems)} problems", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
