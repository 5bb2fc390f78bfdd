block = "a string"
