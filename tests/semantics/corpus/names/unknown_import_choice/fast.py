from common import log

WIDTH = 32
NAME = "fast"
log.append("fast")
