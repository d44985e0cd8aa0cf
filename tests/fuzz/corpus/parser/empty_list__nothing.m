let a = []
