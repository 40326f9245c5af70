# Installs the BUILD, builds the consumer PROJECT against it in WORK, and follows a change of a header
# that only a kernel file includes; then what README shows, and an EXAMPLE.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "failed: ${command}\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

function(expect what)
  if(NOT said MATCHES "${what}")
    message(FATAL_ERROR "expected '${what}' in:\n${said}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
foreach(file bin/khalc bin/khal-info include/khal/khal.hpp include/khal/kernel.hpp)
  if(NOT EXISTS ${WORK}/prefix/${file})
    message(FATAL_ERROR "'cmake --install' doesn't install ${file}")
  endif()
endforeach()

set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${WORK}/prefix)
file(COPY ${PROJECT}/ DESTINATION ${WORK}/source)
set(build ${CMAKE_COMMAND} --build ${WORK}/build)
run(${configure} -S ${WORK}/source -B ${WORK}/build)
run(${build})
expect("Compiling kernels scale.cpp")
set(ENV{KHAL_DEVICE} cpu)
run(${WORK}/build/app)
expect("21 42 63")

# Nothing has changed: nothing is compiled.
run(${build})
if(said MATCHES "Compiling kernels")
  message(FATAL_ERROR "kernels are compiled again without a change:\n${said}")
endif()

# The kernel's header has changed: the depfile must say so.
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1)
file(WRITE ${WORK}/source/kernels/amount.hpp "inline constexpr unsigned amount = 3;\n")
run(${build})
expect("Compiling kernels scale.cpp")
if(said MATCHES "Compiling kernels shift.cpp")
  message(FATAL_ERROR "a kernel file is compiled again that doesn't include the changed header")
endif()
run(${WORK}/build/app)
expect("13 26 39")

# What README.md shows works as it stands there.
file(READ ${README} rest)
foreach(block "cpp;add.cpp" "cpp;main.cpp" "cmake;CMakeLists.txt")
  list(GET block 0 language)
  list(GET block 1 name)
  if(NOT rest MATCHES "```${language}\n([^`]*)```(.*)$")
    message(FATAL_ERROR "README.md doesn't show a ${name}")
  endif()
  set(rest "${CMAKE_MATCH_2}")
  file(WRITE ${WORK}/readme/${name} "${CMAKE_MATCH_1}")
endforeach()
run(${configure} -S ${WORK}/readme -B ${WORK}/readme/build)
run(${CMAKE_COMMAND} --build ${WORK}/readme/build)
run(${WORK}/readme/build/app)
expect("1 \\+ 1 = 2 on ")

# An example builds against the installation as it is.
run(${configure} -S ${EXAMPLE} -B ${WORK}/example)
run(${CMAKE_COMMAND} --build ${WORK}/example)
run(${WORK}/example/add_assign --size=1000)
expect("right +1000 of 1000 sums")
