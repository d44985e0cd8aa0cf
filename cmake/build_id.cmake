# The version, and a hash of the headers that two sides share: cmake -DOUT=file.h -DVERSION=1.2 "-DFILES=a.h;b.h" -P build_id.cmake
set(all "")
foreach(file ${FILES})
  file(SHA256 "${file}" hash)
  string(APPEND all "${hash}")
endforeach()
string(SHA256 id "${all}")
file(WRITE "${OUT}" "// made by cmake/build_id.cmake\n#define SOLVE_VERSION \"${VERSION}\"\n#define SOLVE_BUILD_ID \"${id}\"\n")
