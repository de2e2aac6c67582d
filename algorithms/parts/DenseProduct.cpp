#include "algorithms/parts/DenseProduct.h"

#include <algorithm>
#include <vector>

#include "algorithms/parts/Lanes.h"

namespace fdg::rl {
namespace {

/// A strip of B up to 64 columns wide. Lanes may reach beyond its last column, into the next row;
/// the last rows, where that would be beyond B, are copied.
struct Strip {
  const float* b;     // its first element
  int64_t b_row;      // from one row to the next
  int64_t direct;     // rows to be read where they are
  const float* tail;  // the others
  const float* bias;  // null for 0
  int64_t columns;
};

template <int kRows, int kVectors>
FDG_INLINE void accumulate(Lane (&sum)[kRows][kVectors], const float* a, int64_t a_row,
                           int64_t a_step, const float* b, int64_t b_row, int64_t count) {
  for (int64_t k = 0; k < count; ++k) {
    Lane right[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      load(right[v], b + k * b_row + v * kWidth);
    }
    for (int r = 0; r < kRows; ++r) {
      const float left = a[r * a_row + k * a_step];
      for (int v = 0; v < kVectors; ++v) {
        sum[r][v] = sum[r][v] + right[v] * left;
      }
    }
  }
}

/// kRows × (kVectors · 16) elements of C, from row m of A on.
template <int kRows, int kVectors>
FDG_INLINE void tile(const Product& p, int64_t m, const Strip& strip, float* c) {
  Lane sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      if (p.adds) {
        const int64_t columns = std::min(kWidth, strip.columns - v * kWidth);
        float row[kWidth] = {};
        std::copy_n(c + (m + r) * p.n + v * kWidth, columns, row);
        load(sum[r][v], row);
      } else if (strip.bias != nullptr) {
        load(sum[r][v], strip.bias + v * kWidth);
      } else {
        sum[r][v] = Lane{};
      }
    }
  }
  const float* a = p.a + m * p.a_row;
  accumulate(sum, a, p.a_row, p.a_step, strip.b, strip.b_row, strip.direct);
  accumulate(sum, a + strip.direct * p.a_step, p.a_row, p.a_step, strip.tail, kVectors * kWidth,
             p.k - strip.direct);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      float* to = c + (m + r) * p.n + v * kWidth;
      if (strip.columns >= (v + 1) * kWidth) {
        store(to, sum[r][v]);
      } else {
        float row[kWidth];
        store(row, sum[r][v]);
        std::copy_n(row, strip.columns - v * kWidth, to);
      }
    }
  }
}

/// As many rows at once as keep the machine's adders busy.
template <int kVectors>
FDG_INLINE void panel(const Product& p, const Strip& strip, float* c) {
  constexpr int kMost = kVectors <= 2 ? 8 : 4;
  int64_t m = 0;
  for (; m + kMost <= p.m; m += kMost) {
    tile<kMost, kVectors>(p, m, strip, c);
  }
  if (p.m - m >= 4) {
    tile<4, kVectors>(p, m, strip, c);
    m += 4;
  }
  switch (p.m - m) {
    case 3:
      return tile<3, kVectors>(p, m, strip, c);
    case 2:
      return tile<2, kVectors>(p, m, strip, c);
    case 1:
      return tile<1, kVectors>(p, m, strip, c);
    default:
      return;
  }
}

/// The last columns, fewer than 64, of B.
template <int kVectors>
FDG_INLINE void lastPanel(const Product& p, int64_t n) {
  constexpr int64_t kRead = kVectors * kWidth;
  float scratch[kWidth * kWidth];  // at most 15 rows of 16 and the bias, or one row and the bias
  const int64_t columns = p.n - n;
  const int64_t beyond = std::max<int64_t>(0, kRead - columns);  // floats
  const int64_t copied = std::min(p.k, (beyond + p.n - 1) / p.n);
  Strip strip = {p.b + n, p.n, p.k - copied, scratch, nullptr, columns};
  std::fill_n(scratch, (copied + 1) * kRead, 0.0f);
  for (int64_t k = 0; k < copied; ++k) {
    std::copy_n(p.b + (p.k - copied + k) * p.n + n, columns, scratch + k * kRead);
  }
  if (p.bias != nullptr) {
    float* bias = scratch + copied * kRead;
    std::copy_n(p.bias + n, columns, bias);
    strip.bias = bias;
  }
  panel<kVectors>(p, strip, p.c + n);
}

/// 16 × 16: after four shuffles of the first half's elements between the second half's, each is
/// where its row and column have changed places.
FDG_INLINE void transposeBlock(const float* from, int64_t from_row, float* to, int64_t to_row) {
  Lane rows[kWidth];
  for (int64_t i = 0; i < kWidth; ++i) {
    load(rows[i], from + i * from_row);
  }
  for (int round = 0; round < 4; ++round) {
    Lane next[kWidth];
    for (int64_t i = 0; i < kWidth / 2; ++i) {
      const Lane& a = rows[i];
      const Lane& b = rows[i + kWidth / 2];
      next[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                            7, 23);
      next[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                                14, 30, 15, 31);
    }
    std::copy_n(next, kWidth, rows);
  }
  for (int64_t i = 0; i < kWidth; ++i) {
    store(to + i * to_row, rows[i]);
  }
}

/// One column of rows whose sums run side by side, without lanes.
template <int kRows>
FDG_INLINE void oneColumn(const Product& p, int64_t m) {
  float sum[kRows];
  std::fill_n(sum, kRows, p.bias != nullptr ? *p.bias : 0.0f);
  const float* a = p.a + m * p.a_row;
  for (int64_t k = 0; k < p.k; ++k) {
    for (int r = 0; r < kRows; ++r) {
      sum[r] = sum[r] + a[r * p.a_row + k] * p.b[k];
    }
  }
  std::copy_n(sum, kRows, p.c + m);
}

/// Up to kFew columns would leave most lanes idle: the lanes take 16 rows of A, row by row in
/// memory. Rows that are left over are computed as those of other products are.
constexpr int64_t kFew = 4;

template <int kColumns>
FDG_INLINE void fewColumns(const Product& p) {
  int64_t m = 0;
  const bool whole = p.k % kWidth == 0;
  for (; whole && m + kWidth <= p.m; m += kWidth) {
    Lane sum[kColumns];
    for (int n = 0; n < kColumns; ++n) {
      sum[n] = p.bias != nullptr ? Lane{} + p.bias[n] : Lane{};
    }
    const float* a = p.a + m * p.a_row;
    for (int64_t k = 0; k < p.k; k += kWidth) {
      float turned[kWidth * kWidth];  // [k, row]
      transposeBlock(a + k, p.a_row, turned, kWidth);
      for (int64_t i = 0; i < kWidth; ++i) {
        Lane column;
        load(column, turned + i * kWidth);
        for (int n = 0; n < kColumns; ++n) {
          sum[n] = sum[n] + column * p.b[(k + i) * kColumns + n];
        }
      }
    }
    for (int n = 0; n < kColumns; ++n) {
      float column[kWidth];
      store(column, sum[n]);
      for (int64_t r = 0; r < kWidth; ++r) {
        p.c[(m + r) * kColumns + n] = column[r];
      }
    }
  }
  if (kColumns == 1) {
    for (; m + 4 <= p.m; m += 4) {
      oneColumn<4>(p, m);
    }
    for (; m < p.m; ++m) {
      oneColumn<1>(p, m);
    }
    return;
  }
  Product rest = p;
  rest.m -= m;
  rest.a += m * p.a_row;
  rest.c += m * p.n;
  if (rest.m > 0) {
    lastPanel<1>(rest, 0);
  }
}

FDG_INLINE void multiplyBody(const Product& p) {
  if (p.n <= kFew && (p.n == 1 || p.m >= kWidth) && p.a_step == 1 && !p.adds) {
    switch (p.n) {
      case 1:
        return fewColumns<1>(p);
      case 2:
        return fewColumns<2>(p);
      case 3:
        return fewColumns<3>(p);
      default:
        return fewColumns<4>(p);
    }
  }
  int64_t n = 0;
  for (; n + 4 * kWidth <= p.n; n += 4 * kWidth) {
    panel<4>(p, {p.b + n, p.n, p.k, nullptr, p.bias != nullptr ? p.bias + n : nullptr, 4 * kWidth},
             p.c + n);
  }
  switch ((p.n - n + kWidth - 1) / kWidth) {
    case 4:
      return lastPanel<4>(p, n);
    case 3:
      return lastPanel<3>(p, n);
    case 2:
      return lastPanel<2>(p, n);
    case 1:
      return lastPanel<1>(p, n);
    default:
      return;
  }
}

/// To what `sum` holds.
template <int kVectors>
FDG_INLINE void sumStrip(const float* x, int64_t rows, int64_t columns, float* sum) {
  Lane sums[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    load(sums[v], sum + v * kWidth);
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      Lane lane;
      load(lane, x + r * columns + v * kWidth);
      sums[v] = sums[v] + lane;
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    store(sum + v * kWidth, sums[v]);
  }
}

FDG_INLINE void sumRowsBody(const float* x, int64_t rows, int64_t columns, float* sum) {
  int64_t c = 0;
  for (; c + 4 * kWidth <= columns; c += 4 * kWidth) {
    sumStrip<4>(x + c, rows, columns, sum + c);
  }
  for (; c + kWidth <= columns; c += kWidth) {
    sumStrip<1>(x + c, rows, columns, sum + c);
  }
  for (; c < columns; ++c) {
    float total = sum[c];
    for (int64_t r = 0; r < rows; ++r) {
      total += x[r * columns + c];
    }
    sum[c] = total;
  }
}

FDG_INLINE void transposeBody(const float* from, int64_t rows, int64_t columns, float* to) {
  const int64_t whole_rows = rows / kWidth * kWidth;
  const int64_t whole_columns = columns / kWidth * kWidth;
  for (int64_t r = 0; r < whole_rows; r += kWidth) {
    for (int64_t c = 0; c < whole_columns; c += kWidth) {
      transposeBlock(from + r * columns + c, columns, to + c * rows + r, rows);
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c) {
      to[c * rows + r] = from[r * columns + c];
    }
  }
}

/// One body for three instruction sets: the same operations, so the same bits.
struct Kernels {
  void (*multiply)(const Product&);
  void (*sum_rows)(const float*, int64_t, int64_t, float*);
  void (*transpose)(const float*, int64_t, int64_t, float*);
};

#define FDG_FOR(isa, suffix)                                                    \
  isa void multiply##suffix(const Product& p) { multiplyBody(p); }              \
  isa void sumRows##suffix(const float* x, int64_t r, int64_t c, float* s) {    \
    sumRowsBody(x, r, c, s);                                                    \
  }                                                                             \
  isa void transpose##suffix(const float* x, int64_t r, int64_t c, float* to) { \
    transposeBody(x, r, c, to);                                                 \
  }                                                                             \
  constexpr Kernels k##suffix = {multiply##suffix, sumRows##suffix, transpose##suffix};
FDG_AVX512_AVX2_PORTABLE(FDG_FOR)

const Kernels& kernels() {
  static const Kernels& chosen = forThisMachine(kAvx512, kAvx2, kPortable);
  return chosen;
}

}  // namespace

void multiply(const Product& product) {
  thread_local std::vector<float> turned;
  // Few columns leave most lanes idle; if the rows of A lie side by side, these fill the lanes.
  const Product& p = product;
  if (p.n < kWidth && p.m > p.n && p.a_row == 1 && p.a_step == p.m && p.bias == nullptr) {
    turned.resize(std::max(turned.size(), static_cast<size_t>(p.m * p.n)));
    float* c = p.n == 1 ? p.c : turned.data();
    if (p.adds && p.n > 1) {
      transpose(p.c, p.m, p.n, c);
    }
    kernels().multiply({.m = p.n,
                        .n = p.m,
                        .k = p.k,
                        .a = p.b,
                        .a_row = 1,
                        .a_step = p.n,
                        .b = p.a,
                        .c = c,
                        .adds = p.adds});
    if (p.n > 1) {
      transpose(c, p.n, p.m, p.c);
    }
    return;
  }
  kernels().multiply(product);
}

void sumRows(const float* x, int64_t rows, int64_t columns, float* sum, bool adds) {
  if (!adds) {
    std::fill_n(sum, columns, 0.0f);
  }
  kernels().sum_rows(x, rows, columns, sum);
}

void transpose(const float* from, int64_t rows, int64_t columns, float* to) {
  kernels().transpose(from, rows, columns, to);
}

}  // namespace fdg::rl
