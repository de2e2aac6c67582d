#include "algorithms/parts/DenseKernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "algorithms/parts/InstructionSet.h"

namespace fdg::rl {
namespace {

constexpr int64_t kWidth = 16;
using Lane = float __attribute__((vector_size(64), aligned(4)));
using LaneInt = int32_t __attribute__((vector_size(64), aligned(4)));

// Lanes go by reference: by value their ABI would depend on the instruction set.
FDG_INLINE void load(Lane& lane, const float* from) { std::memcpy(&lane, from, sizeof lane); }

FDG_INLINE void store(float* to, const Lane& lane) { std::memcpy(to, &lane, sizeof lane); }

/// kRows × (kVectors · 16) elements of C. `b` is the panel's first element, its rows `b_row` apart.
template <int kRows, int kVectors>
FDG_INLINE void tile(const Product& p, int64_t m, const float* b, int64_t b_row, const float* bias,
                     float* c, int64_t c_row, int64_t columns) {
  Lane sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      if (bias != nullptr) {
        load(sum[r][v], bias + v * kWidth);
      } else {
        sum[r][v] = Lane{};
      }
    }
  }
  const float* a = p.a + m * p.a_row;
  for (int64_t k = 0; k < p.k; ++k) {
    Lane right[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      load(right[v], b + k * b_row + v * kWidth);
    }
    for (int r = 0; r < kRows; ++r) {
      const float left = a[r * p.a_row + k * p.a_step];
      for (int v = 0; v < kVectors; ++v) {
        sum[r][v] = sum[r][v] + right[v] * left;
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      float* to = c + (m + r) * c_row + v * kWidth;
      if (columns >= (v + 1) * kWidth) {
        store(to, sum[r][v]);
      } else {
        float row[kWidth];
        store(row, sum[r][v]);
        std::copy_n(row, columns - v * kWidth, to);
      }
    }
  }
}

template <int kVectors>
FDG_INLINE void panel(const Product& p, const float* b, int64_t b_row, const float* bias, float* c,
                      int64_t columns) {
  int64_t m = 0;
  for (; m + 4 <= p.m; m += 4) {
    tile<4, kVectors>(p, m, b, b_row, bias, c, p.n, columns);
  }
  for (; m < p.m; ++m) {
    tile<1, kVectors>(p, m, b, b_row, bias, c, p.n, columns);
  }
}

/// `scratch` holds the last panel and its bias, padded to 16 columns: (k + 1) · 16 floats.
FDG_INLINE void multiplyBody(const Product& p, float* scratch) {
  int64_t n = 0;
  const auto bias = [&](int64_t at) { return p.bias != nullptr ? p.bias + at : nullptr; };
  for (; n + 4 * kWidth <= p.n; n += 4 * kWidth) {
    panel<4>(p, p.b + n, p.n, bias(n), p.c + n, 4 * kWidth);
  }
  for (; n + kWidth <= p.n; n += kWidth) {
    panel<1>(p, p.b + n, p.n, bias(n), p.c + n, kWidth);
  }
  const int64_t rest = p.n - n;
  if (rest == 0) {
    return;
  }
  std::fill_n(scratch, (p.k + 1) * kWidth, 0.0f);
  for (int64_t k = 0; k < p.k; ++k) {
    std::copy_n(p.b + k * p.n + n, rest, scratch + k * kWidth);
  }
  float* padded_bias = scratch + p.k * kWidth;
  if (p.bias != nullptr) {
    std::copy_n(p.bias + n, rest, padded_bias);
  }
  panel<1>(p, scratch, kWidth, padded_bias, p.c + n, rest);
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
  void (*multiply)(const Product&, float*);
  void (*tanh)(float*, int64_t);
  void (*adam)(const AdamStep&, int64_t, const float*, float*, float*, float*);
};

#define FDG_FOR(isa, suffix)                                                              \
  isa void multiply##suffix(const Product& p, float* s) { multiplyBody(p, s); }           \
  isa void tanh##suffix(float* x, int64_t n) { tanhBody(x, n); }                          \
  isa void adam##suffix(const AdamStep& h, int64_t n, const float* g, float* a, float* b, \
                        float* p) {                                                       \
    adamBody(h, n, g, a, b, p);                                                           \
  }                                                                                       \
  constexpr Kernels k##suffix = {multiply##suffix, tanh##suffix, adam##suffix};
FDG_AVX512_AVX2_PORTABLE(FDG_FOR)

const Kernels& kernels() {
  static const Kernels& chosen = forThisMachine(kAvx512, kAvx2, kPortable);
  return chosen;
}

}  // namespace

void multiply(const Product& product) {
  thread_local std::vector<float> scratch;
  const auto need = static_cast<size_t>((product.k + 1) * kWidth);
  if (scratch.size() < need) {
    scratch.resize(need);
  }
  kernels().multiply(product, scratch.data());
}

void tanhInPlace(float* x, int64_t count) { kernels().tanh(x, count); }

float tanhOf(float x) {
  tanhInPlace(&x, 1);
  return x;
}

void reluInPlace(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    x[i] = x[i] < 0.0f ? 0.0f : x[i];
  }
}

void tanhBackward(float* d, const float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    d[i] = d[i] * (1.0f - y[i] * y[i]);
  }
}

void reluBackward(float* d, const float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    // By bits: as a choice it becomes a branch for each element.
    const uint32_t kept = y[i] > 0.0f ? UINT32_MAX : 0;
    d[i] = std::bit_cast<float>(std::bit_cast<uint32_t>(d[i]) & kept);
  }
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
