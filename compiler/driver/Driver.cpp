//===- Driver.cpp - khalc from arguments to exit code -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Driver.h"

#include "diag/Diagnostics.h"
#include "driver/Faults.h"

#include "clang/Basic/Stack.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <algorithm>
#include <atomic>

namespace khalc {

namespace {

/// Clang, LLVM's passes and our own recurse over nested code; a generated kernel may nest deeply.
constexpr unsigned stackBytes = 64u << 20;

/// One input on its way.
struct Task {
  std::string input;
  std::string messages; ///< of a file that is compiled beside others: printed in input order
  std::optional<std::vector<Output>> outputs;
  diag::ExitCode exitCode = diag::ExitCode::Done;
};

bool checkInputs(const CommandLine &command, diag::Engine &diagnostics) {
  namespace fs = llvm::sys::fs;
  llvm::StringMap<std::string> byStem;
  for (const std::string &input : command.inputs) {
    fs::file_status status;
    std::error_code error = fs::status(input, status);
    const fs::file_type type = status.type();
    if (!error && (type == fs::file_type::directory_file || type == fs::file_type::fifo_file ||
                   type == fs::file_type::socket_file)) {
      diagnostics.report(diag::Id::input_is_no_file, {input});
      continue;
    }
    if (llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(input))
      fs::closeFile(*file);
    else
      error = llvm::errorToErrorCode(file.takeError());
    if (error) {
      diagnostics.report(diag::Id::input_missing, {input, error.message()});
      continue;
    }
    const std::string stem = outputStem(command, input);
    const auto [first, isNew] = byStem.try_emplace(stem, input);
    if (!isNew)
      diagnostics.report(diag::Id::same_output, {first->second, input, stem + ".khal.*"});
  }
  return !diagnostics.hasErrors();
}

void run(Task &task, const CommandLine &command, const Installation &installation, bool colour,
         llvm::raw_ostream &out) {
  diag::Engine diagnostics(colour, out);
  for (const std::string &warning : command.warnings)
    diagnostics.controlWarning(warning);
  task.outputs = compileFile(command, installation, task.input, diagnostics);
  task.exitCode = diagnostics.exitCode();
}

/// Calls `work` on each of several threads with room to recurse, and waits for them.
void onThreads(unsigned count, llvm::function_ref<void()> work) {
  const auto prepared = [work] {
    clang::noteBottomOfStack();
    const SignalStack signalStack;
    work();
  };
  std::vector<llvm::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back(std::optional<unsigned>(stackBytes), prepared);
  for (llvm::thread &thread : threads)
    thread.join();
}

void compileAll(std::vector<Task> &tasks, const CommandLine &command,
                const Installation &installation, bool colour) {
  const unsigned count = std::min<size_t>(command.jobs, tasks.size());
  std::atomic<size_t> next = 0;
  onThreads(count, [&] {
    for (size_t i = next++; i < tasks.size(); i = next++) {
      if (count == 1) {
        run(tasks[i], command, installation, colour, llvm::errs());
        continue;
      }
      llvm::raw_string_ostream messages(tasks[i].messages);
      if (colour)
        messages.enable_colors(true);
      run(tasks[i], command, installation, colour, messages);
    }
  });
}

} // namespace

int runDriver(const std::vector<std::string> &arguments, const Installation &installation) {
  const bool colour = llvm::sys::Process::StandardErrHasColors();
  diag::Engine diagnostics(colour);
  const std::optional<CommandLine> command = parseCommandLine(arguments, llvm::outs(), diagnostics);
  if (!command || !checkInputs(*command, diagnostics))
    return static_cast<int>(diagnostics.exitCode());

  std::vector<Task> tasks;
  for (const std::string &input : command->inputs)
    tasks.push_back({input, {}, std::nullopt, diag::ExitCode::Done});
  compileAll(tasks, *command, installation, colour);

  diag::ExitCode worst = diag::ExitCode::Done;
  std::vector<Output> outputs;
  for (Task &task : tasks) {
    llvm::errs() << task.messages;
    worst = std::max(worst, task.exitCode);
    if (task.outputs)
      llvm::append_range(outputs, std::move(*task.outputs));
  }
  if (worst == diag::ExitCode::Done && !writeAll(outputs, diagnostics))
    worst = diagnostics.exitCode();
  return static_cast<int>(worst);
}

} // namespace khalc
