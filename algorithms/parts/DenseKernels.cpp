#include "algorithms/parts/DenseKernels.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/parts/Lanes.h"

namespace fdg::rl {
namespace {

FDG_INLINE void reluBody(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    x[i] = x[i] < 0.0f ? 0.0f : x[i];
  }
}

FDG_INLINE void reluBackwardBody(float* __restrict d, const float* __restrict y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    // By bits: as a choice it becomes a branch for each element.
    const uint32_t kept = y[i] > 0.0f ? UINT32_MAX : 0;
    d[i] = std::bit_cast<float>(std::bit_cast<uint32_t>(d[i]) & kept);
  }
}

FDG_INLINE void tanhBackwardBody(float* __restrict d, const float* __restrict y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    d[i] = d[i] * (1.0f - y[i] * y[i]);
  }
}

/// tanh x = e / (e + 2) with e = exp(2x) − 1 = 2^k (exp(r) − 1) + (2^k − 1): no cancellation for
/// any x.
FDG_INLINE void tanhLane(Lane& x) {
  constexpr float kLimit = 9.02f;  // tanh rounds to 1 from here on
  const LaneInt sign = reinterpret_cast<LaneInt>(x) & INT32_MIN;
  const LaneInt bits = reinterpret_cast<LaneInt>(x) & INT32_MAX;
  const Lane size = reinterpret_cast<Lane>(bits);
  const Lane bounded = size > kLimit ? Lane{} + kLimit : size;
  const Lane twice = bounded + bounded;
  const LaneInt power = __builtin_convertvector(twice * 1.44269504f + 0.5f, LaneInt);
  const Lane whole = __builtin_convertvector(power, Lane);
  const Lane r = (twice - whole * 0.693145752f) - whole * 1.42860677e-6f;  // ln 2 in two parts
  Lane poly = r * (1.0f / 5040) + (1.0f / 720);
  poly = poly * r + (1.0f / 120);
  poly = poly * r + (1.0f / 24);
  poly = poly * r + (1.0f / 6);
  poly = poly * r + 0.5f;
  poly = poly * r * r + r;
  const LaneInt scale_bits = (power + 127) << 23;
  const Lane scale = reinterpret_cast<Lane>(scale_bits);
  const Lane e = scale * poly + (scale - 1.0f);
  const Lane y = e / (e + 2.0f);
  const Lane kept = size != size ? x : y;  // a NaN stays one
  const LaneInt out = reinterpret_cast<LaneInt>(kept) | sign;
  x = reinterpret_cast<Lane>(out);
}

FDG_INLINE void tanhBody(float* x, int64_t count) {
  int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    Lane lane;
    load(lane, x + i);
    tanhLane(lane);
    store(x + i, lane);
  }
  if (i < count) {
    float rest[kWidth] = {};
    std::copy_n(x + i, count - i, rest);
    Lane lane;
    load(lane, rest);
    tanhLane(lane);
    store(rest, lane);
    std::copy_n(rest, count - i, x + i);
  }
}

FDG_INLINE void adamBody(const AdamStep& how, int64_t count, const float* __restrict gradient,
                         float* __restrict first, float* __restrict second,
                         float* __restrict parameters) {
  const AdamStep h = how;
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * h.scale;
    first[i] = h.beta1 * first[i] + (1.0f - h.beta1) * g;
    second[i] = h.beta2 * second[i] + (1.0f - h.beta2) * (g * g);
    const float spread = __builtin_sqrtf(second[i] * h.second_correction) + h.epsilon;
    parameters[i] = parameters[i] - h.learning_rate * first[i] / spread;
  }
}

/// One body for three instruction sets: the same operations, so the same bits.
struct Kernels {
  void (*tanh)(float*, int64_t);
  void (*relu)(float*, int64_t);
  void (*tanh_backward)(float*, const float*, int64_t);
  void (*relu_backward)(float*, const float*, int64_t);
  void (*adam)(const AdamStep&, int64_t, const float*, float*, float*, float*);
};

#define FDG_FOR(isa, suffix)                                                                     \
  isa void tanh##suffix(float* x, int64_t n) { tanhBody(x, n); }                                 \
  isa void relu##suffix(float* x, int64_t n) { reluBody(x, n); }                                 \
  isa void tanhBack##suffix(float* d, const float* y, int64_t n) { tanhBackwardBody(d, y, n); }  \
  isa void reluBack##suffix(float* d, const float* y, int64_t n) { reluBackwardBody(d, y, n); }  \
  isa void adam##suffix(const AdamStep& h, int64_t n, const float* g, float* a, float* b,        \
                        float* p) {                                                              \
    adamBody(h, n, g, a, b, p);                                                                  \
  }                                                                                              \
  constexpr Kernels k##suffix = {tanh##suffix, relu##suffix, tanhBack##suffix, reluBack##suffix, \
                                 adam##suffix};
FDG_AVX512_AVX2_PORTABLE(FDG_FOR)

const Kernels& kernels() {
  static const Kernels& chosen = forThisMachine(kAvx512, kAvx2, kPortable);
  return chosen;
}

}  // namespace

void tanhInPlace(float* x, int64_t count) { kernels().tanh(x, count); }

float tanhOf(float x) {
  tanhInPlace(&x, 1);
  return x;
}

void reluInPlace(float* x, int64_t count) { kernels().relu(x, count); }

void tanhBackward(float* d, const float* y, int64_t count) {
  kernels().tanh_backward(d, y, count);
}

void reluBackward(float* d, const float* y, int64_t count) {
  kernels().relu_backward(d, y, count);
}

void adamStep(const AdamStep& how, int64_t count, const float* gradient, float* first,
              float* second, float* parameters) {
  kernels().adam(how, count, gradient, first, second, parameters);
}

void rmsPropStep(const RmsPropStep& how, int64_t count, const float* __restrict gradient,
                 float* __restrict squares, float* __restrict parameters) {
  const RmsPropStep h = how;
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * h.scale;
    squares[i] = h.decay * squares[i] + (1.0f - h.decay) * (g * g);
    parameters[i] = parameters[i] - h.learning_rate * g / (__builtin_sqrtf(squares[i]) + h.epsilon);
  }
}

void centredRmsPropStep(const RmsPropStep& how, int64_t count, const float* __restrict gradient,
                        float* __restrict means, float* __restrict squares,
                        float* __restrict parameters) {
  const RmsPropStep h = how;
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * h.scale;
    means[i] = h.decay * means[i] + (1.0f - h.decay) * g;
    squares[i] = h.decay * squares[i] + (1.0f - h.decay) * (g * g);
    const float variance = squares[i] - means[i] * means[i];  // by rounding perhaps below 0
    const float spread = __builtin_sqrtf((variance > 0.0f ? variance : 0.0f) + h.epsilon);
    parameters[i] = parameters[i] - h.learning_rate * g / spread;
  }
}

}  // namespace fdg::rl
