//===- main.cpp - heat in three dimensions over MPI ranks -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpirun -n 4 mpi_heat --device=cuda --depth=512
//
// Each rank has a slab of planes and a plane of each neighbour's. In a step it does its outermost planes
// first; while they travel to the neighbours, by way of buffers that the host reaches, it does the rest.
//
//===------------------------------------------------------------------------------------------===//

#include "../common/example.hpp"

#include "heat.khal.hpp"

#include <mpi.h>

#include <cstring>

namespace {

constexpr float rate = 0.125f;

struct Grid {
  std::uint32_t width, height, depth, steps;
  std::size_t plane() const { return std::size_t{width} * height; }
};

/// Any heat, the same however many ranks there are.
float heat_at(std::size_t cell) {
  return example::Random(cell).unit() * 100;
}

/// Of all planes 1 to depth, which are a rank's.
struct Share {
  Share(const Grid &grid, MPI_Comm comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    first = 1 + begin_of(grid, rank);
    planes = begin_of(grid, rank + 1) - begin_of(grid, rank);
  }
  std::uint32_t begin_of(const Grid &grid, int which) const {
    return static_cast<std::uint32_t>(std::uint64_t{grid.depth} * static_cast<unsigned>(which) /
                                      static_cast<unsigned>(ranks));
  }
  int lower() const { return rank > 0 ? rank - 1 : MPI_PROC_NULL; }
  int upper() const { return rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL; }

  int rank = 0, ranks = 1;
  std::uint32_t first = 0, planes = 0;
};

/// A rank's part of the work.
class Slab {
public:
  Slab(const khal::Device &device, const Grid &its_grid, MPI_Comm its_comm)
      : grid(its_grid), comm(its_comm), share(its_grid, its_comm), inner(device), outer(device) {
    std::vector<float> cells(grid.plane() * (share.planes + 2));
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = heat_at((share.first - 1) * grid.plane() + i);
    now = device.upload(cells);
    next = device.upload(cells);
    for (khal::Buffer<float> *plane : {&send_low, &send_high, &receive_low, &receive_high})
      *plane = device.host_buffer<float>(grid.plane());
  }

  void step() {
    const std::uint32_t last = share.planes;
    put_in(outer, 1, 1);
    if (last > 1)
      put_in(outer, last, 1);
    send_low.copy_from(outer, next.slice(grid.plane(), grid.plane()));
    send_high.copy_from(outer, next.slice(last * grid.plane(), grid.plane()));
    if (last > 2)
      put_in(inner, 2, last - 2);
    outer.wait();
    exchange(send_low, share.lower(), receive_high, share.upper());
    exchange(send_high, share.upper(), receive_low, share.lower());
    if (share.lower() != MPI_PROC_NULL)
      next.slice(0, grid.plane()).copy_from(outer, receive_low);
    if (share.upper() != MPI_PROC_NULL)
      next.slice((last + 1) * grid.plane(), grid.plane()).copy_from(outer, receive_high);
    // The next step's planes, of either stream, need this one's of both.
    const khal::Event inner_done = inner.record();
    inner.after(outer.record());
    outer.after(inner_done);
    std::swap(now, next);
  }

  /// Its planes, without the neighbours'.
  std::vector<float> cells() {
    outer.wait();
    inner.wait();
    return now.slice(grid.plane(), grid.plane() * share.planes).download();
  }
  void wait() {
    outer.wait();
    inner.wait();
  }

private:
  void put_in(khal::Stream &stream, std::uint32_t first, std::uint32_t planes) {
    kernels::heat(stream, khal::threads(grid.width, grid.height, planes), now, next,
                  HeatStep{grid.width, grid.height, first, planes, rate});
  }
  void exchange(khal::Buffer<float> &out, int to, khal::Buffer<float> &in, int from) {
    const int count = static_cast<int>(grid.plane());
    MPI_Sendrecv(out.host().data(), count, MPI_FLOAT, to, 0, in.host().data(), count, MPI_FLOAT,
                 from, 0, comm, MPI_STATUS_IGNORE);
  }

  const Grid grid;
  const MPI_Comm comm;
  const Share share;
  khal::Stream inner, outer;
  khal::Buffer<float> now, next;
  khal::Buffer<float> send_low, send_high, receive_low, receive_high;
};

/// All ranks' cells, in rank 0.
std::vector<float> gather(const std::vector<float> &mine, const Grid &grid) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> counts(static_cast<std::size_t>(ranks)), begins(counts.size());
  const Share share(grid, MPI_COMM_WORLD);
  for (int i = 0; i < ranks; ++i) {
    begins[i] = static_cast<int>(share.begin_of(grid, i) * grid.plane());
    counts[i] = static_cast<int>(share.begin_of(grid, i + 1) * grid.plane()) - begins[i];
  }
  std::vector<float> all(rank == 0 ? grid.plane() * grid.depth : 0);
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_FLOAT, all.data(), counts.data(),
              begins.data(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  return all;
}

/// The same steps on the host in double precision.
std::vector<double> on_the_host(const Grid &grid) {
  const std::size_t plane = grid.plane();
  std::vector<double> now(plane * (grid.depth + 2));
  for (std::size_t i = 0; i < now.size(); ++i)
    now[i] = heat_at(i);
  std::vector<double> next = now;
  for (std::uint32_t step = 0; step < grid.steps; ++step) {
    for (std::size_t z = 1; z <= grid.depth; ++z)
      for (std::size_t y = 1; y + 1 < grid.height; ++y)
        for (std::size_t x = 1; x + 1 < grid.width; ++x) {
          const std::size_t i = z * plane + y * grid.width + x;
          next[i] = now[i] + double{rate} * (now[i - 1] + now[i + 1] + now[i - grid.width] +
                                             now[i + grid.width] + now[i - plane] + now[i + plane] -
                                             6 * now[i]);
        }
    std::swap(now, next);
  }
  return now;
}

/// Ranks of one machine share its devices of the kind that was asked for.
khal::Device device_of_rank(const example::Context &context) {
  if (context.text("device").find(':') != std::string::npos)
    return context.device;
  MPI_Comm machine;
  int number = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &number);
  MPI_Comm_free(&machine);
  std::vector<khal::Device> alike;
  for (const khal::Device &device : khal::Device::all())
    if (device.info().backend == context.device.info().backend)
      alike.push_back(device);
  return alike[static_cast<std::size_t>(number) % alike.size()];
}

void run(example::Context &context) {
  const Grid grid{context.number("width", 3, 4096), context.number("height", 3, 4096),
                  context.number("depth", 1, 4096), context.number("steps", 1, 1'000'000)};
  const Share share(grid, MPI_COMM_WORLD);
  if (grid.plane() * grid.depth > 0x7fffffff)
    throw example::UsageError("more cells than MPI counts in one message to gather them");
  if (grid.depth < static_cast<unsigned>(share.ranks))
    throw example::UsageError("each rank needs a plane: give a larger --depth, or fewer ranks");
  const khal::Device device = device_of_rank(context);
  Slab slab(device, grid, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < grid.steps; ++i)
    slab.step();
  slab.wait();
  MPI_Barrier(MPI_COMM_WORLD);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const std::vector<float> all = gather(slab.cells(), grid);

  int right = 1;
  if (share.rank == 0) {
    std::printf("  did   %u steps of %u x %u x %u cells on %d ranks in %.3f ms, %.3f Gcell/s\n",
                grid.steps, grid.width, grid.height, grid.depth, share.ranks, took.count() * 1e3,
                double(grid.plane() * grid.depth) * grid.steps / took.count() * 1e-9);
    Slab alone(device, grid, MPI_COMM_SELF);
    for (std::uint32_t i = 0; i < grid.steps; ++i)
      alone.step();
    const std::vector<float> one = alone.cells();
    context.check("every cell equals that of one rank, bit for bit",
                  one.size() == all.size() &&
                      std::memcmp(one.data(), all.data(), all.size() * sizeof(float)) == 0);
    if (context.number("check", 0, 1) == 1) {
      const std::vector<double> reference = on_the_host(grid);
      example::Worst worst;
      for (std::size_t i = 0; i < all.size(); ++i)
        worst.add(std::abs(double{all[i]} - reference[grid.plane() + i]));
      // Each step rounds values of at most 600 a few times, and averages what was there.
      context.check("every cell is within rounding of the host's in double precision",
                    worst.value() <=
                        600.0 * 4 * grid.steps * double{std::numeric_limits<float>::epsilon()});
    }
    right = context.allRight;
  }
  MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
  context.allRight = right != 0;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int result = example::run(argc, argv, "mpi_heat: heat in three dimensions over MPI ranks",
                                  {{"width", "64", "cells in x"},
                                   {"height", "48", "cells in y"},
                                   {"depth", "37", "planes in z, shared among the ranks"},
                                   {"steps", "20", "steps in time"},
                                   {"check", "1", "1: compare with the host too; 0: not"}},
                                  run);
  if (result != 0) // other ranks may be waiting for this one
    MPI_Abort(MPI_COMM_WORLD, result);
  MPI_Finalize();
  return result;
}
