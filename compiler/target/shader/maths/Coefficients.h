//===- Coefficients.h - polynomials of the maths functions ------------------------------------===//
//
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

template <> struct Coefficients<float> {
  /// (e^r - 1 - r) / r^2, |r| up to ln 2 / 2.
  static constexpr float exponential[] = {
      0x1.000000p-1f, 0x1.5554dep-3f, 0x1.55551ap-5f, 0x1.120b62p-7f, 0x1.6d10fcp-10f,
  };
  /// (sin x - x) / x^3 of x^2, |x| up to pi / 4.
  static constexpr float sine[] = {
      -0x1.555556p-3f,
      0x1.11110ep-7f,
      -0x1.a013a8p-13f,
      0x1.6dbe08p-19f,
  };
  /// (cos x - 1 + x^2 / 2) / x^4 of x^2, |x| up to pi / 4.
  static constexpr float cosine[] = {
      0x1.555556p-5f,
      -0x1.6c16c0p-10f,
      0x1.a015c4p-16f,
      -0x1.25244ep-22f,
  };
  /// (2 artanh s - 2 s) / s^3 of s^2, |s| up to 3 - 2 sqrt 2.
  static constexpr float logarithm[] = {
      0x1.555556p-1f,
      0x1.9999ecp-2f,
      0x1.245c44p-2f,
      0x1.ddced8p-3f,
  };
  /// (ln (1 + m) - m) / m^2, |m| up to 1 / 3.
  static constexpr float logarithmNear[] = {
      -0x1.ffffd6p-2f, 0x1.5554fap-2f, -0x1.001480p-2f, 0x1.99d428p-3f,
      -0x1.5032e6p-3f, 0x1.1ea24ep-3f, -0x1.3b2850p-3f, 0x1.1f42a8p-3f,
  };
  /// (2 artanh s - 2 s - 2 s^3 / 3) / s^5 of s^2, |s| up to 3 - 2 sqrt 2.
  static constexpr float logarithmTail[] = {
      0x1.9999a4p-2f,
      0x1.247a32p-2f,
      0x1.d806b4p-3f,
  };
  /// (asin x - x) / x^3 of x^2, |x| up to 1 / 2.
  static constexpr float arcSine[] = {
      0x1.555554p-3f, 0x1.333430p-4f, 0x1.6d5bbap-5f,
      0x1.fd8da2p-6f, 0x1.18f91ep-6f, 0x1.13fed4p-5f,
  };
  /// (atan x - x) / x^3 of x^2, |x| up to sqrt 2 - 1.
  static constexpr float arcTangent[] = {
      -0x1.555554p-2f, 0x1.999730p-3f, -0x1.242036p-3f, 0x1.b81030p-4f, -0x1.08455ep-4f,
  };
  /// erf x / x of x^2, |x| up to 1.
  static constexpr float errorFunction[] = {
      0x1.20dd76p+0f, -0x1.812746p-2f,  0x1.ce2f08p-4f,  -0x1.b829c8p-6f,
      0x1.562a60p-8f, -0x1.bccf66p-11f, 0x1.d88750p-14f, -0x1.445f48p-17f,
  };
  /// erfc(x) exp(x^2) (1 + x) of 1 / (1 + x) - 3 / 8, x from 1 / 2 to 28.
  static constexpr float errorTail[] = {
      0x1.9487fap-1f, 0x1.1fd69cp-1f,  -0x1.3039d4p-2f, -0x1.6a7d38p-2f,
      0x1.1296fep-1f, -0x1.c22ad8p-6f, -0x1.82db5ep-1f, 0x1.0caf20p+0f,
      0x1.41af8cp-6f, -0x1.34f348p+1f, 0x1.d23b10p+0f,  0x1.5497c2p+1f,
  };
  /// (gamma(1 + t) - 1) / t, |t| up to 1 / 2.
  static constexpr float gammaRest[] = {
      -0x1.2788d0p-1f, 0x1.fa6592p-1f,  -0x1.d0a11ep-1f, 0x1.f6a1fep-1f,  -0x1.f6c4fcp-1f,
      0x1.fd00a8p-1f,  -0x1.fe768ep-1f, 0x1.f597eap-1f,  -0x1.f61072p-1f, 0x1.2bc974p+0f,
      -0x1.2bd944p+0f, 0x1.69ea06p-3f,  -0x1.6a090ap-3f, 0x1.6a26dep+1f,  -0x1.6a2780p+1f,
  };
  /// ln gamma(1 + t) / t, |t| up to 1 / 2.
  static constexpr float logGammaBy1[] = {
      -0x1.2788d0p-1f, 0x1.a51a66p-1f,  -0x1.9a4d56p-2f, 0x1.1512ccp-2f,  -0x1.a8b91cp-3f,
      0x1.5b5dd2p-3f,  -0x1.271f1cp-3f, 0x1.fde17cp-4f,  -0x1.c40b06p-4f, 0x1.c15a7ap-4f,
      -0x1.99c858p-4f, 0x1.2ddd84p-5f,  -0x1.0ddc12p-5f, 0x1.69eb44p-3f,  -0x1.545058p-3f,
  };
  /// ln gamma(2 + t) / t, |t| up to 1 / 2.
  static constexpr float logGammaBy2[] = {
      0x1.b0ee60p-2f, 0x1.4a34ccp-2f,   -0x1.13dffcp-4f, 0x1.513222p-6f,   -0x1.e40f70p-8f,
      0x1.7ae6fep-9f, -0x1.36ddb8p-10f, 0x1.098f94p-11f, -0x1.0a2582p-12f, 0x1.dbf084p-14f,
  };
  /// x (ln gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2) of 1 / x^2, x from 16.
  static constexpr float stirling[] = {
      0x1.555554p-4f,
      -0x1.6baefep-9f,
  };
  /// ln 2 as a sum.
  static constexpr float ln2[] = {
      0x1.62e400p-1f,
      0x1.7f7d1cp-20f,
  };
  /// log10 2 as a sum.
  static constexpr float log10Of2[] = {
      0x1.344000p-2f,
      0x1.3509f8p-18f,
  };
  /// pi / 2 as a sum.
  static constexpr float halfPi[] = {
      0x1.920000p+0f,
      0x1.fb4000p-12f,
      0x1.444000p-24f,
      0x1.68c234p-39f,
  };
  /// ln 2 as a sum.
  static constexpr float ln2Pair[] = {
      0x1.62e430p-1f,
      -0x1.05c610p-29f,
  };
  /// ln 10 as a sum.
  static constexpr float ln10Pair[] = {
      0x1.26bb1cp+1f,
      -0x1.12aabap-25f,
  };
  /// log2 e as a sum.
  static constexpr float log2OfE[] = {
      0x1.715476p+0f,
      0x1.4ae0c0p-26f,
  };
  /// log10 e as a sum.
  static constexpr float log10OfE[] = {
      0x1.bcb7b2p-2f,
      -0x1.5b235ep-27f,
  };
  /// pi / 2 as a sum.
  static constexpr float halfPiPair[] = {
      0x1.921fb6p+0f,
      -0x1.777a5cp-25f,
  };
  /// 2 / 3 as a sum.
  static constexpr float twoThirds[] = {
      0x1.555556p-1f,
      -0x1.555556p-26f,
  };
};

template <> struct Coefficients<double> {
  /// (e^r - 1 - r) / r^2, |r| up to ln 2 / 2.
  static constexpr double exponential[] = {
      0x1.000000p-1,         0x1.5555555555557p-3,  0x1.5555555555556p-5,  0x1.11111111100dfp-7,
      0x1.6c16c16c162d6p-10, 0x1.a01a01abe62ddp-13, 0x1.a01a01a6d7808p-16, 0x1.71de02375656cp-19,
      0x1.27e4db67b4303p-22, 0x1.af4ddd84882fep-26, 0x1.1f72fc730b4ffp-29,
  };
  /// (sin x - x) / x^3 of x^2, |x| up to pi / 4.
  static constexpr double sine[] = {
      -0x1.5555555555555p-3,  0x1.1111111111110p-7,  -0x1.a01a01a019938p-13, 0x1.71de3a546095bp-19,
      -0x1.ae645412c560cp-26, 0x1.61217f0b800d5p-33, -0x1.ab17d404de5b3p-41,
  };
  /// (cos x - 1 + x^2 / 2) / x^4 of x^2, |x| up to pi / 4.
  static constexpr double cosine[] = {
      0x1.5555555555555p-5,  -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16, -0x1.27e4fb7712d65p-22,
      0x1.1eed8deb97a97p-29, -0x1.9394ba0cd6ed5p-37, 0x1.ab785b00b4646p-45,
  };
  /// (2 artanh s - 2 s) / s^3 of s^2, |s| up to 3 - 2 sqrt 2.
  static constexpr double logarithm[] = {
      0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476cccp-2, 0x1.c71c720159177p-3,
      0x1.745cf9048dd95p-3, 0x1.3b1c355a8f7a2p-3, 0x1.0fbe95d716020p-3, 0x1.0c039c49989c6p-3,
  };
  /// (2 artanh s - 2 s - 2 s^3 / 3) / s^5 of s^2, |s| up to 3 - 2 sqrt 2.
  static constexpr double logarithmTail[] = {
      0x1.999999999999ep-2, 0x1.249249248e53bp-2, 0x1.c71c71d7e5cbbp-3, 0x1.745d09f1d2e07p-3,
      0x1.3b18b888c578fp-3, 0x1.1018bb6af787ep-3, 0x1.0877e906b72d3p-3,
  };
  /// (asin x - x) / x^3 of x^2, |x| up to 1 / 2.
  static constexpr double arcSine[] = {
      0x1.5555555555555p-3,  0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5, 0x1.f1c71c7a52ba3p-6,
      0x1.6e8ba123e494cp-6,  0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7,
      0x1.3b49de7121487p-7,  0x1.31622469ce5adp-7, 0x1.8f193743418ffp-9, 0x1.406192d124629p-6,
      -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6,
  };
  /// (atan x - x) / x^3 of x^2, |x| up to sqrt 2 - 1.
  static constexpr double arcTangent[] = {
      -0x1.5555555555555p-2, 0x1.9999999999953p-3, -0x1.249249248d7eep-3, 0x1.c71c71c304b68p-4,
      -0x1.745d165df3f95p-4, 0x1.3b1392d9e785cp-4, -0x1.110e880a7a521p-4, 0x1.e19a13b9fc6dfp-5,
      -0x1.ac7a938b69c93p-5, 0x1.74ddd408bb4c1p-5, -0x1.1b33b923aa954p-5, 0x1.0ad36a455cafbp-6,
  };
  /// erf x / x of x^2, |x| up to 1.
  static constexpr double errorFunction[] = {
      0x1.20dd750429b6dp+0,  -0x1.812746b0379e7p-2,  0x1.ce2f21a042be2p-4,  -0x1.b82ce31288b47p-6,
      0x1.565bcd0e6a2eep-8,  -0x1.c02db40035f1ep-11, 0x1.f9a326f7ac5b1p-14, -0x1.f4d25bf9af03ap-17,
      0x1.b9e6c38e5cf3dp-20, -0x1.5f73c3bf14b91p-23, 0x1.fcbb312b48443p-27, -0x1.517ce02f1265fp-30,
      0x1.9a0fcb5e22c5bp-34, -0x1.b40e7abf9f000p-38, 0x1.3c01fd3a74542p-42,
  };
  /// erfc(x) exp(x^2) (1 + x) of 1 / (1 + x) - 3 / 8, x from 1 / 2 to 28.
  static constexpr double errorTail[] = {
      0x1.9487fab2bf497p-1,   0x1.1fd69f63a9260p-1,   -0x1.30397229bd1d0p-2, -0x1.6a846814fae99p-2,
      0x1.128190c451f07p-1,   -0x1.a310f643cc374p-6,  -0x1.7f4a04667ba14p-1, 0x1.fd39a45e8d2f9p-1,
      -0x1.df6a584c2fea3p-4,  -0x1.aaabae1195fb0p+0,  0x1.837aca6e1a299p+1,  -0x1.f50f7f84d5cabp+0,
      -0x1.6c1fbf1fd6c60p+1,  0x1.3ed5302885141p+3,   -0x1.b8dce0265e565p+3, 0x1.5fbbb13e2dc0bp+2,
      0x1.597833d067a90p+4,   -0x1.017f24b05cb5dp+6,  0x1.78ff8516be71cp+6,  -0x1.b8a5d43c50c55p+3,
      -0x1.ae99ed2ccbf2ap+7,  0x1.7b046d19db6c4p+5,   0x1.7ef31409607bdp+6,  0x1.09113a22575f1p+12,
      -0x1.40876e982a4e1p+12, -0x1.83e4aa61672e6p+14, 0x1.e19db1e7b9ec3p+14, 0x1.06fd0bfc02260p+16,
      -0x1.b0e1c02a38dd1p+15, -0x1.52882dcf55254p+16,
  };
  /// (gamma(1 + t) - 1) / t, |t| up to 1 / 2.
  static constexpr double gammaRest[] = {
      -0x1.2788cfc6fb619p-1, 0x1.fa658c23b1579p-1, -0x1.d0a118f324a82p-1, 0x1.f6a51055095d4p-1,
      -0x1.f6c80ec39bc45p-1, 0x1.fc7e0a6ec36d6p-1, -0x1.fdf3f15038fd3p-1, 0x1.ff07b59a01505p-1,
      -0x1.ff803f339bf86p-1, 0x1.ffc085e853955p-1, -0x1.ffdfd6db527a2p-1, 0x1.ffefc98d5ca1ep-1,
      -0x1.fffe2aba58eaep-1, 0x1.0001144a3487cp+0, -0x1.ff99a0de79849p-1, 0x1.ff9aa09d1046ep-1,
      -0x1.023e859a94b2fp+0, 0x1.023ea596e6afap+0, -0x1.db633e6e32744p-1, 0x1.db634e6d5c7fap-1,
      -0x1.6a4c78e7d2293p+0, 0x1.6a4c7ae7d290bp+0, 0x1.623b2614a4146p-1,  -0x1.623b25150d8bdp-1,
      -0x1.6a3c7a2b41080p+2, 0x1.6a3c7a3366d1bp+2, 0x1.c04ad8587226cp+2,  -0x1.c04ad856ba863p+2,
      -0x1.002ac4c20e32bp+3, 0x1.002ac4c275a3fp+3,
  };
  /// ln gamma(1 + t) / t, |t| up to 1 / 2.
  static constexpr double logGammaBy1[] = {
      -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab2cap-2, 0x1.151322ac7d83cp-2,
      -0x1.a8b9c17aa7eedp-3, 0x1.5b40cb100dfd7p-3, -0x1.2703a1dc10f2ep-3, 0x1.010b36aeb2f89p-3,
      -0x1.c80670d557cb7p-4, 0x1.9a01e3eaf2fc3p-4, -0x1.748c241fd89f6p-4, 0x1.556ac7ab0a8c5p-4,
      -0x1.3b1efc904ce5cp-4, 0x1.24983b04df70bp-4, -0x1.10fc68b60bb0bp-4, 0x1.ffd5ade9e1431p-5,
      -0x1.e3eda33f2a471p-5, 0x1.c91924bb77106p-5, -0x1.9e7ae2be33060p-5, 0x1.89630a1bc7168p-5,
      -0x1.e728a90657135p-5, 0x1.d2b6e138a185dp-5, 0x1.4419026330db1p-8,  -0x1.61e023b85b2f7p-8,
      -0x1.6447823e9d0f7p-3, 0x1.59681d2609cfcp-3, 0x1.8eca495d72089p-3,  -0x1.840cd07d90826p-3,
      -0x1.ec097aba2bc98p-3, 0x1.dd93d56e6de4dp-3,
  };
  /// ln gamma(2 + t) / t, |t| up to 1 / 2.
  static constexpr double logGammaBy2[] = {
      0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-2,  -0x1.13e001a55760ap-4,  0x1.51322ac7d848ap-6,
      -0x1.e404fc218dbaep-8,  0x1.7add6eadb5317p-9,  -0x1.38ac5c2d48207p-10, 0x1.0b36af8779ca0p-11,
      -0x1.d3fd4b679c1c4p-13, 0x1.a127afee53e7dp-14, -0x1.78de9ab752b81p-15, 0x1.580e0afa55850p-16,
      -0x1.3cb3be36ad88bp-17, 0x1.258f3057730fap-18, -0x1.1276ebd557fb0p-19, 0x1.012012be3900ap-20,
      -0x1.ce17528bcf460p-22, 0x1.b40adb09a1e12p-23, -0x1.2009c1a550d0dp-23, 0x1.11fa5e7c86f7bp-24,
  };
  /// x (ln gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2) of 1 / x^2, x from 16.
  static constexpr double stirling[] = {
      0x1.5555555555555p-4,   -0x1.6c16c16c16a56p-9, 0x1.a01a019afcdb4p-11,
      -0x1.38136b57a498ep-11, 0x1.b9277b480e283p-11, -0x1.e39e299151793p-10,
  };
  /// ln 2 as a sum.
  static constexpr double ln2[] = {
      0x1.62e42fefa3800p-1,
      0x1.ef35793c76730p-45,
  };
  /// log10 2 as a sum.
  static constexpr double log10Of2[] = {
      0x1.34413509f7800p-2,
      0x1.fef311f12b358p-46,
  };
  /// pi / 2 as a sum.
  static constexpr double halfPi[] = {
      0x1.921fb54400000p+0,
      0x1.0b4611a600000p-34,
      0x1.3198a2e000000p-69,
      0x1.b839a252049c1p-104,
  };
  /// ln 2 as a sum.
  static constexpr double ln2Pair[] = {
      0x1.62e42fefa39efp-1,
      0x1.abc9e3b39803fp-56,
  };
  /// ln 10 as a sum.
  static constexpr double ln10Pair[] = {
      0x1.26bb1bbb55516p+1,
      -0x1.f48ad494ea3e9p-53,
  };
  /// log2 e as a sum.
  static constexpr double log2OfE[] = {
      0x1.71547652b82fep+0,
      0x1.777d0ffda0d24p-56,
  };
  /// log10 e as a sum.
  static constexpr double log10OfE[] = {
      0x1.bcb7b1526e50ep-2,
      0x1.95355baaafad3p-57,
  };
  /// pi / 2 as a sum.
  static constexpr double halfPiPair[] = {
      0x1.921fb54442d18p+0,
      0x1.1a62633145c07p-54,
  };
  /// 2 / 3 as a sum.
  static constexpr double twoThirds[] = {
      0x1.5555555555555p-1,
      0x1.5555555555555p-55,
  };
};

/// The binary digits of 2 / pi after the point, in words, the first ones first.
inline constexpr unsigned twoOverPi[] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
    0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
    0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
    0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
    0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du,
};

} // namespace khal::maths

#endif // KHALC_TARGET_SHADER_MATHS_COEFFICIENTS_H
