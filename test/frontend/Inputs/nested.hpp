#ifndef NESTED_HPP
#define NESTED_HPP
#include <khal/kernel.hpp>
struct Nested {
  unsigned char kind;
  double value;
};
#endif
