//===- Figures.cpp - costs, alone or next to hand-written code's ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Figures.h"

#include <algorithm>
#include <cstdio>

namespace bench {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// "1.234 us"
std::string timeText(double seconds) {
  const char *unit = "s";
  for (const char *smaller : {"ms", "us", "ns"})
    if (seconds < 1) {
      seconds *= 1e3;
      unit = smaller;
    }
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %s", seconds, unit);
  return text;
}

} // namespace

Figures::Figures(Options given) : options(std::move(given)) {
  std::printf("%-44s %10s %12s %7s %9s\n", "median", "khal", "by hand", "ratio", "limit");
}

bool Figures::wanted(const std::string &name) const {
  return options.names.empty() ||
         std::any_of(options.names.begin(), options.names.end(),
                     [&](const std::string &part) { return name.find(part) != name.npos; });
}

void Figures::verdict(bool within) {
  std::printf("%s\n", within ? "" : "  OVER");
  std::fflush(stdout);
  over += !within;
}

void Figures::compare(const std::string &name, double limit, const Run &khal, const Run &peer) {
  if (!wanted(name))
    return;
  std::vector<double> ours, theirs, ratios;
  for (unsigned run = 0; run <= options.runs; ++run) {
    double khalTime = 0, peerTime = 0;
    if (run % 2 == 0) { // who goes first changes
      khalTime = khal();
      peerTime = peer();
    } else {
      peerTime = peer();
      khalTime = khal();
    }
    if (run == 0) // warms up
      continue;
    ours.push_back(khalTime);
    theirs.push_back(peerTime);
    ratios.push_back(khalTime / peerTime);
  }
  const double ratio = median(ratios);
  std::printf("%-44s %10s %12s %7.3f %9.2f", name.c_str(), timeText(median(ours)).c_str(),
              timeText(median(theirs)).c_str(), ratio, limit);
  verdict(ratio <= limit);
}

void Figures::measure(const std::string &name, double limit, const Run &khal) {
  if (!wanted(name))
    return;
  khal(); // warms up
  std::vector<double> times;
  for (unsigned run = 0; run < options.runs; ++run)
    times.push_back(khal());
  const double time = median(times);
  std::printf("%-44s %10s %12s %7s %9s", name.c_str(), timeText(time).c_str(), "", "",
              timeText(limit).c_str());
  verdict(time <= limit);
}

} // namespace bench
