# khal_add_kernels(target
#   SOURCES kernels/add.cpp …      kernel files; relative ones are in the current source folder
#   [TARGETS cpu ptx spirv …]      what to compile for, as in khalc's --target, and by default what it takes
#   [OPTIONS --ptx-arch=sm_90 …])  more options for khalc
#
# Compiles kernel files with khalc and gives the results to `target`, an executable or library: the
# target's own sources can include "add.khal.hpp", and the objects are linked into it. Kernels are
# compiled again when a file that they include changes. They see the include folders and definitions
# of the target; a Debug build compiles them with -O0 -g, RelWithDebInfo with -g.
#
# Link the target with khal::khal too.

function(khal_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;TARGETS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "khal_add_kernels: unexpected arguments: ${ARG_UNPARSED_ARGUMENTS}; "
                        "kernel files go after SOURCES")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "khal_add_kernels: there is no target '${target}'; call add_executable or "
                        "add_library first")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "khal_add_kernels: no SOURCES for '${target}'")
  endif()
  set(targets_option)
  set(targets_said)
  if(ARG_TARGETS)
    string(REPLACE ";" "," kernel_targets "${ARG_TARGETS}")
    set(targets_option --target=${kernel_targets})
    set(targets_said " for ${kernel_targets}")
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/khal/${target})
  file(MAKE_DIRECTORY ${folder})
  set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  set(options
    "$<$<CONFIG:Debug>:-O0;-g>"
    "$<$<CONFIG:RelWithDebInfo>:-g>"
    "$<$<BOOL:${includes}>:-I$<JOIN:$<REMOVE_DUPLICATES:${includes}>,;-I>>"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
    ${ARG_OPTIONS})

  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET source STEM LAST_ONLY name)
    cmake_path(GET source PARENT_PATH source_folder)
    set(header ${folder}/${name}.khal.hpp)
    set(object ${folder}/${name}.khal.o)
    get_property(taken TARGET ${target} PROPERTY KHAL_KERNEL_NAMES)
    if(name IN_LIST taken)
      message(FATAL_ERROR "khal_add_kernels: '${target}' has two kernel files named '${name}'; their "
                          "headers would have one name, so rename one of them")
    endif()
    set_property(TARGET ${target} APPEND PROPERTY KHAL_KERNEL_NAMES ${name})

    # The header first, as in the dependency file: Ninja wants the two to agree.
    add_custom_command(
      OUTPUT ${header} ${object}
      COMMAND khal::khalc ${targets_option} -o ${folder} -MD -MF ${folder}/${name}.d
              "${options}" ${source}
      DEPENDS ${source} khal::khalc
      DEPFILE ${folder}/${name}.d
      COMMENT "Compiling kernels ${name}.cpp${targets_said}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE ${object} ${header})
    # A generated header includes the user's own headers as the kernel file spells them.
    target_include_directories(${target} PRIVATE ${folder} ${source_folder})
  endforeach()
endfunction()
