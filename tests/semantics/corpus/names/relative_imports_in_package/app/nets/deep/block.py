from ... import config
from ...config import SIZE
from .. import block as where


class Block:
    size = SIZE + config.SIZE
