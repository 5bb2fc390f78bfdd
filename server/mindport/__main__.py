"""`python -m mindport`."""

import sys

from mindport.cli.main import main

sys.exit(main())
