"""Reads TOML, such as a pyproject.toml that came along with a folder: what is in it costs neither time nor the run."""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from mindport.config.problem import ConfigurationError
from mindport.config.regular_file import read_regular
from mindport.model.language import say

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MOST_KEYS = 100  # in a dotted key: the parser's time grows with the square of it
_KEY = re.compile(r"""[ \t\[{,]*(?:[\w-]+|"[^"]*"|'[^']*')[ \t]*""")


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a file. Raises ConfigurationError that says what is wrong with it."""
    try:
        text = read_regular(path).decode("utf-8-sig")
        number = _line_of_long_key(text)
        if number:
            raise ConfigurationError(
                [say("{file}: a key with too many dots (at line {line})", file=path, line=number)]
            )
        table: dict[str, Any] = tomllib.loads(text)
    except OSError as error:
        raise ConfigurationError(
            [say("{file}: cannot be read: {reason}", file=path, reason=error.strerror or error)]
        ) from error
    except RecursionError as error:
        raise ConfigurationError([say("{file}: is nested too deeply", file=path)]) from error
    except ConfigurationError:
        raise
    except ValueError as error:  # no TOML, no UTF-8, a number with thousands of digits
        message = str(error)
        raise ConfigurationError([f"{path}: {message[:1].lower()}{message[1:]}"]) from error
    return table


def _line_of_long_key(text: str) -> int:
    """The line of a key with too many parts; 0 where there is none."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_KEYS:
            are_keys = map(bool, map(_KEY.fullmatch, line.split(".")))
            if any(is_key and len(list(run)) > _MOST_KEYS for is_key, run in groupby(are_keys)):
                return number
    return 0
