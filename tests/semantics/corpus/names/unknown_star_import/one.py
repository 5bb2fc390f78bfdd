size = 1
both = "b"
