#include <khal/kernel.hpp>
using namespace khal;

float scaled(float x, float by) {
  const float result = x * by;
  return result + 1;
}

[[khal::kernel(64)]] void scale(span<float> values, float factor) {
  const u32 i = global_index();
  if (i < values.size())
    values[i] = scaled(values[i], factor);
}
