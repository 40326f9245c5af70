# The devices that execution tests run on, as KHAL_DEVICE takes them. A device that isn't there makes
# its tests fail: leave it out on machines without it.
set(KHAL_TEST_DEVICES cpu vulkan CACHE STRING "Devices for execution tests")

# The CPU's levels below the highest, likewise.
set(KHAL_TEST_CPU_LEVELS v2 v3 CACHE STRING "Levels of x86-64 for execution tests")

# khal_add_cpu_level_tests(NAME TARGET): the test of a table on the CPU's lower levels, since it runs
# the highest by itself.
function(khal_add_cpu_level_tests name target)
  if(NOT cpu IN_LIST KHAL_TEST_DEVICES OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    return()
  endif()
  foreach(level IN LISTS KHAL_TEST_CPU_LEVELS)
    add_test(NAME ${name}/cpu-${level} COMMAND ${target})
    set_tests_properties(${name}/cpu-${level} PROPERTIES
      ENVIRONMENT "KHAL_DEVICE=cpu;KHAL_CPU_LEVEL=${level}")
  endforeach()
endfunction()
