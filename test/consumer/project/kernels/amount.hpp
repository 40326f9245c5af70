inline constexpr unsigned amount = 11;
