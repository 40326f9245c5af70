//===- Command.cpp - runs a command -----------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace khal::fuzz {

int runCommand(const std::vector<std::string> &command, const std::string &output,
               unsigned seconds) {
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(output.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    ::alarm(seconds); // outlives exec
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace khal::fuzz
