fail = False
log = []
