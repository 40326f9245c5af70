# Compiles SOURCE with COMPILER and FLAGS, warnings being errors. With EXPECTED empty it must compile
# and the compiler must say nothing; else it must fail and say something that matches EXPECTED.
execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror ${FLAGS} ${SOURCE}
  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(EXPECTED STREQUAL "")
  if(NOT result EQUAL 0 OR NOT said STREQUAL "")
    message(FATAL_ERROR "doesn't compile cleanly:\n${said}")
  endif()
elseif(result EQUAL 0)
  message(FATAL_ERROR "compiles, but should say '${EXPECTED}'")
elseif(NOT said MATCHES "${EXPECTED}")
  message(FATAL_ERROR "fails, but doesn't say '${EXPECTED}':\n${said}")
endif()
