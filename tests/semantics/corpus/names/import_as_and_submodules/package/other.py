value = "other"
