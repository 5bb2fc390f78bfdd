name = "package"
