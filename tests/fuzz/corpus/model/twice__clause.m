simulate to 1 step 2 to 3
