from common import log

WIDTH = 16 + 16
NAME = "slow"
log.append("slow")
