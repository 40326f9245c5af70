#ifndef PARTICLE_HPP
#define PARTICLE_HPP
#include "nested.hpp"
namespace shapes {
struct Particle {
  khal::float3 position;
  float mass;
};
} // namespace shapes
#endif
