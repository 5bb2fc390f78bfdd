"""Two files define a class of the same name; each module uses its own."""

import big
import small
from small import Block

answer = (big.Block().width, small.Block().width, big.build().width, Block().width)
from big import Block

answer_rebound = Block().width
