# find_package(eigenmap) defines the imported target eigenmap::eigenmap, the shared library with its
# header. The file lies in PREFIX/lib/cmake/eigenmap.
get_filename_component(_eigenmap_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(_eigenmap_include "${_eigenmap_lib}/../include" ABSOLUTE)
if(NOT TARGET eigenmap::eigenmap)
  add_library(eigenmap::eigenmap SHARED IMPORTED)
  set_target_properties(eigenmap::eigenmap PROPERTIES
    IMPORTED_LOCATION "${_eigenmap_lib}/libeigenmap.so.0"
    IMPORTED_SONAME "libeigenmap.so.0"
    INTERFACE_INCLUDE_DIRECTORIES "${_eigenmap_include}")
endif()
unset(_eigenmap_lib)
unset(_eigenmap_include)
