value = "leaf"
