ran = False
if __name__ == "__main__":
    ran = True
