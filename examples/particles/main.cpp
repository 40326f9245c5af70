//===- main.cpp - gravity among particles, checked against double precision -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "../common/example.hpp"

#include "particles.khal.hpp"

#include <cmath>

namespace {

struct Cloud {
  std::vector<khal::float3> positions, velocities;
  std::vector<float> masses;
};

Cloud make_cloud(std::uint32_t count) {
  Cloud cloud;
  example::Random random(3);
  while (cloud.positions.size() < count) { // evenly in a ball
    const khal::float3 place(random.unit(), random.unit(), random.unit());
    if (place.x * place.x + place.y * place.y + place.z * place.z > 1)
      continue;
    cloud.positions.push_back(place);
    cloud.velocities.push_back({-0.5f * place.y, 0.5f * place.x, 0.1f * random.unit()});
    cloud.masses.push_back((1.5f + random.unit()) / static_cast<float>(count));
  }
  return cloud;
}

/// The positions after some steps, in double precision.
std::vector<khal::double3> simulate(const Cloud &cloud, const Step &step, std::uint32_t steps) {
  std::vector<khal::double3> positions(cloud.positions.begin(), cloud.positions.end());
  std::vector<khal::double3> velocities(cloud.velocities.begin(), cloud.velocities.end());
  const double softening = step.softening, seconds = step.seconds;
  for (std::uint32_t s = 0; s < steps; ++s) {
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (std::size_t j = 0; j < positions.size(); ++j) {
        const khal::double3 to = positions[j] - positions[i];
        const double square = to.x * to.x + to.y * to.y + to.z * to.z + softening * softening;
        velocities[i] += to * (cloud.masses[j] / (square * std::sqrt(square)) * seconds);
      }
    for (std::size_t i = 0; i < positions.size(); ++i)
      positions[i] += velocities[i] * seconds;
  }
  return positions;
}

} // namespace

int main(int argc, char **argv) {
  return example::run(
      argc, argv, "particles: gravity of each particle on each other",
      {{"count", "2048", "particles"}, {"steps", "10", "steps of time"}},
      [](example::Context &context) {
        const std::uint32_t count = context.number("count", 1, 1u << 20);
        const std::uint32_t steps = context.number("steps", 1, 1000);
        const Step step{0.01f, 0.05f};
        const Cloud cloud = make_cloud(count);
        const khal::Grid grid = khal::threads(count);

        khal::Buffer<khal::float3> positions = context.device.upload(cloud.positions);
        khal::Buffer<khal::float3> velocities = context.device.upload(cloud.velocities);
        const khal::Buffer<float> masses = context.device.upload(cloud.masses);
        for (std::uint32_t s = 0; s < steps; ++s) {
          kernels::attract(context.stream, grid, positions, masses, velocities, step);
          kernels::move(context.stream, grid, positions, velocities, step);
        }
        context.stream.wait();
        const std::vector<khal::float3> result = positions.download();

        const double seconds = context.time(
            [&] { kernels::attract(context.stream, grid, positions, masses, velocities, step); });
        std::printf(
            "  did   %u steps of %u particles; a step takes %.3f ms, %.2f billion pairs/s\n", steps,
            count, seconds * 1e3, 1e-9 * count * count / seconds);

        // Rounding grows with the number of terms and steps, but stays small beside the ball's
        // radius of 1.
        constexpr double allowed = 1e-4;
        const std::vector<khal::double3> reference = simulate(cloud, step, steps);
        example::Worst worst;
        for (std::size_t i = 0; i < count; ++i) {
          const khal::double3 error = khal::double3(result[i]) - reference[i];
          worst.add(std::sqrt(error.x * error.x + error.y * error.y + error.z * error.z));
        }
        char text[120];
        std::snprintf(text, sizeof text,
                      "positions are within %.2g of double precision (allowed: %.2g)",
                      worst.value(), allowed);
        context.check(text, worst.value() <= allowed);
      });
}
