// As a library's header that is found by -isystem.
template <class T> inline T twice(T value) {
  return value.times_two();
}
inline int not_constant(int value) {
  return value + 1;
}
constexpr int constant(int value) {
  return value + 1;
}
template <class T> auto deduced(T value) {
  return value + T(1);
}
