# fdg_room(NAME SOURCES … LIBRARIES …): one room as a static library.
# fdg_shared(NAME …): the same as a shared library, for what plans link against.
# fdg_test(NAME LABEL folder SOURCES … LIBRARIES …): a GoogleTest executable, one CTest case.

function(fdg_flags target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror ${FDG_FLAGS})
endfunction()

function(fdg_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  fdg_flags(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LIBRARIES})
endfunction()

function(fdg_shared name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} SHARED ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
  fdg_flags(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LIBRARIES})
endfunction()

function(fdg_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  fdg_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gtest_main GTest::gmock)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
endfunction()
