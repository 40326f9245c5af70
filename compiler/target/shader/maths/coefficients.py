#!/usr/bin/env python3
"""Prints Coefficients.h: the polynomials of the shader target's maths functions.

Each is the Chebyshev approximation of a function over an interval, which is within a few per cent of
the best there is, worked out with mpmath (python3-mpmath) and rounded to float or double. Where that
isn't near enough, it is the best there is by Remez' exchange of extreme points, for errors that count by
a weight.
"""

import mpmath
from mpmath import mp, mpf

mp.dps = 60


def series(value, limit, near):
    """A function that cancels near 0, by its Taylor series there."""
    return lambda z: near(z) if abs(z) < limit else value(z)


def even(function, taylor):
    """As a function of z = x * x."""
    def value(z):
        if z < mpf("1e-12"):
            return sum(c * z**i for i, c in enumerate(taylor))
        return function(mpmath.sqrt(z))
    return value


def exp_rest(r):
    if abs(r) < mpf("1e-12"):
        return mpf(1) / 2 + r / 6 + r * r / 24
    return (mpmath.exp(r) - 1 - r) / r**2


sin_rest = even(lambda x: (mpmath.sin(x) - x) / x**3, [-mpf(1) / 6, mpf(1) / 120])
cos_rest = even(lambda x: (mpmath.cos(x) - 1 + x * x / 2) / x**4, [mpf(1) / 24, -mpf(1) / 720])
log_rest = even(lambda s: (2 * mpmath.atanh(s) - 2 * s) / s**3, [mpf(2) / 3, mpf(2) / 5])
log_tail = even(lambda s: (2 * mpmath.atanh(s) - 2 * s - 2 * s**3 / 3) / s**5,
                [mpf(2) / 5, mpf(2) / 7])
log_near = series(lambda m: (mpmath.log(1 + m) - m) / m**2, mpf("1e-12"),
                  lambda m: -mpf(1) / 2 + m / 3)
asin_rest = even(lambda x: (mpmath.asin(x) - x) / x**3, [mpf(1) / 6, mpf(3) / 40])
atan_rest = even(lambda x: (mpmath.atan(x) - x) / x**3, [-mpf(1) / 3, mpf(1) / 5])
erf_rest = even(lambda x: mpmath.erf(x) / x, [2 / mpmath.sqrt(mp.pi), -2 / (3 * mpmath.sqrt(mp.pi))])


tail_middle = mpf(3) / 8


def erfc_scaled(u):
    """erfc(x) exp(x * x) (1 + x) for u + 3 / 8 = 1 / (1 + x), so that the whole tail is one interval,
    about whose middle the polynomial's terms are small."""
    t = u + tail_middle
    if t < mpf("1e-10"):
        return 1 / mpmath.sqrt(mp.pi)
    x = 1 / t - 1
    return mpmath.erfc(x) * mpmath.exp(x * x) * (1 + x)


gamma_rest = series(lambda t: (mpmath.gamma(1 + t) - 1) / t, mpf("1e-20"),
                    lambda t: -mp.euler + t * (mp.euler**2 / 2 + mp.pi**2 / 12))
log_gamma_1 = series(lambda t: mpmath.loggamma(1 + t) / t, mpf("1e-20"),
                     lambda t: -mp.euler + t * mp.pi**2 / 12)
log_gamma_2 = series(lambda t: mpmath.loggamma(2 + t) / t, mpf("1e-20"),
                     lambda t: 1 - mp.euler + t * (mp.pi**2 / 6 - 1) / 2)


def stirling_rest(z):
    """x (ln gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2) for z = 1 / x^2."""
    if z < mpf("1e-16"):
        return mpf(1) / 12 - z / 360
    x = 1 / mpmath.sqrt(z)
    return x * (mpmath.loggamma(x) - (x - mpf(1) / 2) * mpmath.log(x) + x
                - mpmath.log(2 * mp.pi) / 2)


half = mpf(1) / 2
half_ln2 = mpmath.log(2) / 2
quarter_pi = mp.pi / 4
# name, function, interval, terms for float, terms for double (0: that type does without)
polynomials = [
    ("exponential", "(e^r - 1 - r) / r^2, |r| up to ln 2 / 2", exp_rest, (-half_ln2, half_ln2), 5, 11),
    ("sine", "(sin x - x) / x^3 of x^2, |x| up to pi / 4", sin_rest, (0, quarter_pi**2), 4, 7),
    ("cosine", "(cos x - 1 + x^2 / 2) / x^4 of x^2, |x| up to pi / 4", cos_rest,
     (0, quarter_pi**2), 4, 7),
    ("logarithm", "(2 artanh s - 2 s) / s^3 of s^2, |s| up to 3 - 2 sqrt 2", log_rest,
     (0, (3 - 2 * mpmath.sqrt(2))**2), 4, 8),
    ("logarithmNear", "(ln (1 + m) - m) / m^2, |m| up to 1 / 3", log_near, (-mpf(1) / 3, mpf(1) / 3),
     8, 0),
    ("logarithmTail", "(2 artanh s - 2 s - 2 s^3 / 3) / s^5 of s^2, |s| up to 3 - 2 sqrt 2",
     log_tail, (0, (3 - 2 * mpmath.sqrt(2))**2), 3, 7),
    ("arcSine", "(asin x - x) / x^3 of x^2, |x| up to 1 / 2", asin_rest, (0, mpf(1) / 4), 6, 14),
    ("arcTangent", "(atan x - x) / x^3 of x^2, |x| up to sqrt 2 - 1", atan_rest,
     (0, (mpmath.sqrt(2) - 1)**2), 5, 12),
    ("errorFunction", "erf x / x of x^2, |x| up to 1", erf_rest, (0, 1), 8, 15),
    ("errorTail", "erfc(x) exp(x^2) (1 + x) of 1 / (1 + x) - 3 / 8, x from 1 / 2 to 28", erfc_scaled,
     (mpf(1) / 29 - tail_middle, mpf(2) / 3 - tail_middle), 12, 30),
    ("gammaRest", "(gamma(1 + t) - 1) / t, |t| up to 1 / 2", gamma_rest, (-half, half), 15, 30),
    ("logGammaBy1", "ln gamma(1 + t) / t, |t| up to 1 / 2", log_gamma_1, (-half, half), 15, 30),
    ("logGammaBy2", "ln gamma(2 + t) / t, |t| up to 1 / 2", log_gamma_2, (-half, half), 10, 20),
    ("stirling", "x (ln gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2) of 1 / x^2, x from 16",
     stirling_rest, (0, mpf(1) / 256), 2, 6),
]


# What an error of these polynomials is multiplied by, to be one of the function's last place.
weights = {
    "logarithmNear": lambda m: m**2 / abs(mpmath.log(1 + m)),
}


def rounded(value, digits):
    """The nearest number of so many binary digits."""
    saved = mp.prec
    mp.prec = digits
    near = +value
    mp.prec = saved
    return near


def literal(value, digits, suffix):
    return float(rounded(value, digits)).hex().replace("0000000p", "p") + suffix


def extremes(error, points, count):
    """The `count` points where the error is largest, of alternate signs."""
    found = []
    for x in points:
        e = error(x)
        if found and (e > 0) == (found[-1][1] > 0):
            if abs(e) > abs(found[-1][1]):
                found[-1] = (x, e)
        else:
            found.append((x, e))
    while len(found) > count:
        found.pop(0 if abs(found[0][1]) < abs(found[-1][1]) else -1)
    return [x for x, _ in found]


def fit_weighted(function, interval, terms, weight):
    """Minimises the greatest |weight(x) (polynomial(x) - function(x))| (E. Remez, 1934)."""
    low, high = interval
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle - half * mpmath.cos(mp.pi * (i + mpf(1) / 2) / 600) for i in range(600)]
    values = {x: function(x) for x in points}
    chosen = [points[int((i + 0.5) * 600 / (terms + 1))] for i in range(terms + 1)]
    for _ in range(20):
        rows = [[x**k for k in range(terms)] + [(-1)**j / weight(x)] for j, x in enumerate(chosen)]
        solution = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix([values[x] for x in chosen]))
        coefficients = [solution[k] for k in range(terms)]

        def error(x):
            return weight(x) * (mpmath.polyval(coefficients[::-1], x) - values[x])

        better = extremes(error, points, terms + 1)
        if better == chosen or len(better) <= terms:
            break
        chosen = better
    return coefficients


def fit(function, interval, terms, weight=None):
    if weight:
        return fit_weighted(function, interval, terms, weight)
    coefficients = mpmath.chebyfit(function, interval, terms)
    return list(reversed(coefficients))


def parts(value, digits, last):
    """The value as a sum of numbers of so many digits each; the last one as precise as can be."""
    result = []
    for width in digits:
        exponent = mpmath.floor(mpmath.log(abs(value), 2)) + 1
        unit = mpf(2) ** (exponent - width)
        part = (mpmath.nint if width == last else mpmath.floor)(value / unit) * unit
        result.append(part)
        value -= part
    return result + [rounded(value, last)]


ln2, ln10 = mpmath.log(2), mpmath.log(10)
# name, value, digits of the parts but the last: those that are multiplied by a whole number without
# rounding leave room for its digits (float: 8 or 12 bits; double: 11 or 20).
constants = [
    ("ln2", "ln 2", ln2, ([16], [42])),
    ("log10Of2", "log10 2", ln2 / ln10, ([16], [42])),
    ("halfPi", "pi / 2", mp.pi / 2, ([12, 12, 12], [33, 33, 33])),
    ("ln2Pair", "ln 2", ln2, ([24], [53])),
    ("ln10Pair", "ln 10", ln10, ([24], [53])),
    ("log2OfE", "log2 e", 1 / ln2, ([24], [53])),
    ("log10OfE", "log10 e", 1 / ln10, ([24], [53])),
    ("halfPiPair", "pi / 2", mp.pi / 2, ([24], [53])),
    ("twoThirds", "2 / 3", mpf(2) / 3, ([24], [53])),
]


def words_of_two_over_pi(count):
    saved = mp.prec
    mp.prec = 32 * count + 64
    bits = int(mpmath.floor((2 / mp.pi) * mpf(2) ** (32 * count)))
    mp.prec = saved
    return [(bits >> (32 * (count - 1 - i))) & 0xFFFFFFFF for i in range(count)]


def main():
    dashes = 100 - len("//===- Coefficients.h - polynomials of the maths functions -===//")
    print("//===- Coefficients.h - polynomials of the maths functions " + "-" * (dashes + 1) + "===//")
    print("""//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printed by coefficients.py; lowest power first.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_MATHS_COEFFICIENTS_H
#define KHALC_TARGET_SHADER_MATHS_COEFFICIENTS_H

namespace khal::maths {

template <class T> struct Coefficients;
""")
    for scalar, digits, suffix, column in (("float", 24, "f", 3), ("double", 53, "", 4)):
        print(f"template <> struct Coefficients<{scalar}> {{")
        for name, text, function, interval, *terms in polynomials:
            if terms[column - 3] == 0:
                continue
            print(f"  /// {text}.")
            print(f"  static constexpr {scalar} {name}[] = {{")
            for c in fit(function, interval, terms[column - 3], weights.get(name)):
                print(f"      {literal(c, digits, suffix)},")
            print("  };")
        for name, text, value, digits_of_parts in constants:
            print(f"  /// {text} as a sum.")
            print(f"  static constexpr {scalar} {name}[] = {{")
            for part in parts(value, digits_of_parts[column - 3], digits):
                print(f"      {literal(part, digits, suffix)},")
            print("  };")
        print("};\n")
    print("/// The binary digits of 2 / pi after the point, in words, the first ones first.")
    print("inline constexpr unsigned twoOverPi[] = {")
    words = words_of_two_over_pi(40)
    for i in range(0, len(words), 8):
        print("    " + ", ".join(f"0x{w:08x}u" for w in words[i:i + 8]) + ",")
    print("};\n")
    print("} // namespace khal::maths\n\n#endif // KHALC_TARGET_SHADER_MATHS_COEFFICIENTS_H")


main()
