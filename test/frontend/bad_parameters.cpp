// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

struct Large {
  char bytes[5000];
};
struct Copies {
  Copies(const Copies &);
  int x;
};
struct Virtual {
  virtual void f();
  int x;
};
struct Bits {
  u32 low : 4, high : 28;
  u32 *words;
};
struct List {
  List *next;
};
union Either {
  float *f;
  int *i;
};
struct alignas(64) Line {
  float x[16];
};
struct Incomplete;
struct __attribute__((packed)) Packed {
  char a;
  int b;
};
struct Unnamed {
  union {
    int x;
    float y;
  };
};

// CHECK: bad_parameters.cpp:[[@LINE+1]]:27: error: kernel 'large' has 5000 bytes of uniform arguments; at most 4096 are allowed, put the large ones into a buffer [khal-block-too-large]
[[khal::kernel(64)]] void large(Large a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:41: error: parameter 'a' of kernel 'copies' has type 'Copies', which isn't trivially copyable; a host can only pass bytes [khal-parameter-not-trivial]
[[khal::kernel(64)]] void copies(Copies a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:50: error: the elements of 'a' in kernel 'copies_in' have type 'Copies', which isn't trivially copyable
[[khal::kernel(64)]] void copies_in(span<Copies> a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:44: error: 'a' of kernel 'virtuals' has type 'Virtual' with virtual functions; a host can't pass these [khal-parameter-virtual]
[[khal::kernel(64)]] void virtuals(Virtual a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:37: error: 'a' of kernel 'bits' has type 'Bits' with bit-fields beside pointers or spans; put the bit-fields into a struct of their own [khal-parameter-bit-field]
[[khal::kernel(64)]] void bits(Bits a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:44: error: the elements of 'a' in kernel 'pointers' have type 'float *', which holds pointers; a buffer can't hold addresses, store indices instead [khal-parameter-pointer-to-pointer]
[[khal::kernel(64)]] void pointers(float **a, span<List> b) {}
// CHECK: bad_parameters.cpp:[[@LINE-1]]:58: error: the elements of 'b' in kernel 'pointers' have type 'List', which holds pointers
// CHECK: bad_parameters.cpp:[[@LINE+1]]:40: error: parameter 'a' of kernel 'rvalue' is an rvalue reference; take it by value, or take a buffer as 'T &' or span<T> [khal-parameter-rvalue]
[[khal::kernel(64)]] void rvalue(int &&a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:41: error: 'a' of kernel 'either' has type 'Either', a union that holds pointers; pass them as parameters of their own [khal-parameter-union-pointer]
[[khal::kernel(64)]] void either(Either a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:37: error: 'a' of kernel 'line' needs alignment 64; the most is 16 for a uniform argument or a shared_span's element [khal-parameter-alignment]
[[khal::kernel(64)]] void line(Line a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:50: error: 'a' of kernel 'incomplete' has elements of type 'Incomplete', whose size isn't known; use a complete object type [khal-parameter-incomplete]
[[khal::kernel(64)]] void incomplete(Incomplete *a, void *b) {}
// CHECK: bad_parameters.cpp:[[@LINE-1]]:59: error: 'b' of kernel 'incomplete' has elements of type 'void'
// CHECK: bad_parameters.cpp:[[@LINE+1]]:43: error: 'a' of kernel 'functions' is a pointer to a function or member; pass a value that selects the code instead [khal-parameter-function-pointer]
[[khal::kernel(64)]] void functions(int (*a)(), int Large::*b) {}
// CHECK: bad_parameters.cpp:[[@LINE-1]]:61: error: 'b' of kernel 'functions' is a pointer to a function or member
// CHECK: bad_parameters.cpp:[[@LINE+1]]:41: error: 'a' of kernel 'packed' has type '::Packed', whose layout a plain struct can't have
[[khal::kernel(64)]] void packed(Packed a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:43: error: 'a' of kernel 'unnamed' has a type or member without a name, which the host can't name; give it one [khal-parameter-unnamed-type]
[[khal::kernel(64)]] void unnamed(Unnamed a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:43: error: 'a' of kernel 'wide' has type '__int128', which has no counterpart on the host; use the types of khal/kernel.hpp [khal-parameter-type]
[[khal::kernel(64)]] void wide(__int128_t a) {}

struct alignas(32) Vector {
  float x[8];
};
// CHECK: bad_parameters.cpp:[[@LINE+1]]:59: error: 'a' of kernel 'shared_line' needs alignment 32; the most is 16 for a uniform argument or a shared_span's element [khal-parameter-alignment]
[[khal::kernel(64)]] void shared_line(shared_span<Vector> a) {}
// CHECK: bad_parameters.cpp:[[@LINE+1]]:62: error: the elements of 'a' in kernel 'shared_pointers' have type 'int *', which holds pointers
[[khal::kernel(64)]] void shared_pointers(shared_span<int *> a) {}
