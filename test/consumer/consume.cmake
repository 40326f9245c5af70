# Installs the BUILD, builds the consumer PROJECT against it in WORK, and follows a change of a header
# that only a kernel file includes.

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

# An example builds against the installation as it is.
run(${configure} -S ${EXAMPLE} -B ${WORK}/example)
run(${CMAKE_COMMAND} --build ${WORK}/example)
run(${WORK}/example/add_assign --size=1000)
expect("right +1000 of 1000 sums")
