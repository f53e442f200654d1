print("saver")
