# A file as an array of bytes in C: cmake -DINPUT=FILE -DOUTPUT=FILE.c -DNAME=name -P embed.cmake
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "#include \"show/embedded.h\"\n\nconst char ${NAME}[] = {${bytes}0};\nconst size_t ${NAME}_length = sizeof ${NAME} - 1;\n")
