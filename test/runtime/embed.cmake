# cmake -DOUTPUT=ptx.h -DINPUTS="a.ptx;b.ptx" -P embed.cmake: texts as C++ constants named as the
# files, in namespace ptx.
set(code "#pragma once\nnamespace ptx {\n")
foreach(input IN LISTS INPUTS)
  get_filename_component(name ${input} NAME_WE)
  file(READ ${input} text)
  string(APPEND code "inline constexpr char ${name}[] = R\"text(${text})text\";\n")
endforeach()
file(WRITE ${OUTPUT} "${code}}\n")
