# Runs a program with its launches recorded into a new folder.
file(REMOVE_RECURSE ${RECORDING})
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env KHAL_RECORD=${RECORDING} KHAL_DEVICE=cpu
          ${PROGRAM} ${ARGUMENTS}
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${result}")
endif()
