#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Network.h"
#include "algorithms/parts/Optimizer.h"
#include "algorithms/parts/SmallNet.h"

namespace fdg::rl {
namespace {

std::vector<float> normals(Stream& stream, int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  stream.fillNormal(0, values);
  return values;
}

/// The same network by LibTorch, on views of one flat parameter tensor.
torch::Tensor forwardByTorch(const MlpShape& shape, const torch::Tensor& flat, torch::Tensor x) {
  int64_t at = 0;
  for (int64_t l = 0; l < shape.layers(); ++l) {
    const int64_t in = shape.sizes[static_cast<size_t>(l)];
    const int64_t out = shape.sizes[static_cast<size_t>(l) + 1];
    x = torch::addmm(flat.slice(0, at + in * out, at + (in + 1) * out), x,
                     flat.slice(0, at, at + in * out).view({in, out}));
    at += (in + 1) * out;
    if (l + 1 == shape.layers()) {
      break;
    }
    if (shape.activation == Activation::normed_silu) {
      x = torch::silu(torch::layer_norm(x, {out}, flat.slice(0, at, at + out),
                                        flat.slice(0, at + out, at + 2 * out)));
      at += 2 * out;
    } else {
      x = shape.activation == Activation::tanh ? torch::tanh(x) : torch::relu(x);
    }
  }
  return x;
}

torch::Tensor asTensor(const std::vector<float>& values, torch::IntArrayRef sizes) {
  return torch::tensor(values).view(sizes);
}

const std::vector<MlpShape> kShapes = {
    {Activation::tanh, {4, 64, 64, 2}},        {Activation::relu, {3, 17, 1}},
    {Activation::relu, {8, 128, 128, 5}},      {Activation::tanh, {1, 1, 1}},
    {Activation::tanh, {30, 70, 33, 18}},      {Activation::relu, {5, 3}},
    {Activation::normed_silu, {5, 64, 33, 7}}, {Activation::normed_silu, {4, 3}},
};

TEST(SmallNet, GivesARowTheSameBitsInEveryBatch) {
  Stream stream(3, "batch");
  for (const MlpShape& shape : kShapes) {
    const auto parameters = normals(stream, shape.parameters());
    const int64_t rows = 37;
    const auto x = normals(stream, rows * shape.inputs());
    MlpPass whole(shape);
    const auto all = whole.forward(parameters.data(), x.data(), rows);
    for (const int64_t size : {1, 2, 3, 4, 5, 7, 16, 36}) {
      MlpPass part(shape);
      for (int64_t first = 0; first < rows; first += size) {
        const int64_t count = std::min(size, rows - first);
        const auto some = part.forward(parameters.data(), x.data() + first * shape.inputs(), count);
        EXPECT_EQ(0, std::memcmp(some.data(), all.data() + first * shape.outputs(),
                                 some.size() * sizeof(float)))
            << "rows from " << first << " in batches of " << size;
      }
    }
  }
}

TEST(SmallNet, AgreesWithAutograd) {
  Stream stream(4, "autograd");
  for (const MlpShape& shape : kShapes) {
    for (const int64_t rows : {1, 6, 64}) {
      auto parameters = normals(stream, shape.parameters());
      for (float& p : parameters) {
        p *= 0.3f;
      }
      const auto x = normals(stream, rows * shape.inputs());
      const auto d = normals(stream, rows * shape.outputs());
      MlpPass pass(shape);
      const auto y = pass.forward(parameters.data(), x.data(), rows);
      const std::vector<float> output(y.begin(), y.end());
      std::vector<float> gradient(parameters.size());
      pass.backward(parameters.data(), x.data(), d.data(), gradient.data());
      std::vector<float> d_x(x.size());
      pass.inputGradient(parameters.data(), d.data(), d_x.data());

      const auto flat = torch::tensor(parameters).to(torch::kFloat64).requires_grad_();
      const auto inputs = asTensor(x, {rows, shape.inputs()}).to(torch::kFloat64).requires_grad_();
      const auto expected = forwardByTorch(shape, flat, inputs);
      (expected * asTensor(d, {rows, shape.outputs()}).to(torch::kFloat64)).sum().backward();
      EXPECT_TRUE(torch::allclose(asTensor(output, {rows, shape.outputs()}).to(torch::kFloat64),
                                  expected.detach(), 1e-5, 1e-5));
      EXPECT_TRUE(torch::allclose(torch::tensor(gradient).to(torch::kFloat64), flat.grad(), 1e-5,
                                  1e-5 * std::sqrt(static_cast<double>(rows))));
      EXPECT_TRUE(torch::allclose(asTensor(d_x, {rows, shape.inputs()}).to(torch::kFloat64),
                                  inputs.grad(), 1e-5, 1e-5));
    }
  }
}

TEST(SmallNet, GradientsOfPartsAddUpToTheBitsOfTheWhole) {
  Stream stream(10, "parts");
  for (const MlpShape& shape : kShapes) {
    const int64_t rows = 37, first = 20;
    const auto parameters = normals(stream, shape.parameters());
    const auto x = normals(stream, rows * shape.inputs());
    const auto d = normals(stream, rows * shape.outputs());
    MlpPass pass(shape);
    std::vector<float> whole(parameters.size()), parts(parameters.size(), NAN);
    pass.forward(parameters.data(), x.data(), rows);
    pass.backward(parameters.data(), x.data(), d.data(), whole.data());
    pass.forward(parameters.data(), x.data(), first);
    pass.backward(parameters.data(), x.data(), d.data(), parts.data());
    const float* rest = x.data() + first * shape.inputs();
    pass.forward(parameters.data(), rest, rows - first);
    pass.backward(parameters.data(), rest, d.data() + first * shape.outputs(), parts.data(), true);
    EXPECT_EQ(parts, whole);
  }
}

TEST(SmallNet, TakesNoRows) {
  MlpPass pass(kShapes.front());
  const std::vector<float> parameters(static_cast<size_t>(kShapes.front().parameters()));
  EXPECT_TRUE(pass.forward(parameters.data(), nullptr, 0).empty());
}

/// C by its definition; A(m, k) = a[m · a_row + k · a_step].
std::vector<float> multiplyPlainly(const Product& p) {
  std::vector<float> c;
  for (int64_t m = 0; m < p.m; ++m) {
    for (int64_t n = 0; n < p.n; ++n) {
      float sum = p.bias != nullptr ? p.bias[n] : 0.0f;
      for (int64_t k = 0; k < p.k; ++k) {
        sum += p.a[m * p.a_row + k * p.a_step] * p.b[k * p.n + n];
      }
      c.push_back(sum);
    }
  }
  return c;
}

TEST(DenseKernels, AProductHasTheBitsOfItsDefinition) {
  Stream stream(8, "product");
  for (const int64_t m : {1, 3, 6, 17, 64}) {
    for (const int64_t n : {1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 48, 50, 63, 64, 101, 130}) {
      for (const int64_t k : {0, 1, 2, 7, 15, 40, 48}) {
        const auto a = normals(stream, m * k), bias = normals(stream, n);
        auto b = normals(stream, k * n);
        b.insert(b.end(), 64, NAN);  // belongs to nobody
        for (const bool turned : {false, true}) {
          for (const float* with : {bias.data(), static_cast<const float*>(nullptr)}) {
            std::vector<float> c(static_cast<size_t>(m * n + 1), 0.25f);
            const Product p = {.m = m,
                               .n = n,
                               .k = k,
                               .a = a.data(),
                               .a_row = turned ? 1 : k,
                               .a_step = turned ? m : 1,
                               .b = b.data(),
                               .bias = with,
                               .c = c.data()};
            multiply(p);
            EXPECT_EQ(c.back(), 0.25f);
            c.pop_back();
            ASSERT_EQ(c, multiplyPlainly(p)) << m << " " << n << " " << k << " " << turned;
          }
        }
      }
    }
  }
}

TEST(DenseKernels, SumsAndTransposesEveryShape) {
  Stream stream(9, "shapes");
  for (const int64_t rows : {0, 1, 5, 16, 33, 64}) {
    for (const int64_t columns : {1, 4, 16, 47, 64, 81}) {
      const auto x = normals(stream, rows * columns);
      std::vector<float> sums(static_cast<size_t>(columns)), plain(sums), turned(x.size());
      sumRows(x.data(), rows, columns, sums.data());
      transpose(x.data(), rows, columns, turned.data());
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < columns; ++c) {
          const float value = x[static_cast<size_t>(r * columns + c)];
          plain[static_cast<size_t>(c)] += value;
          ASSERT_EQ(turned[static_cast<size_t>(c * rows + r)], value);
        }
      }
      EXPECT_EQ(sums, plain);
    }
  }
}

TEST(DenseKernels, TanhIsWithinTwoUnitsAndTheSameInEveryPlace) {
  std::vector<float> x;
  for (double v = 1e-30; v < 30; v *= 1.0007) {
    x.push_back(static_cast<float>(v));
    x.push_back(static_cast<float>(-v));
  }
  x.insert(x.end(), {0.0f, -0.0f, INFINITY, -INFINITY});
  std::vector<float> y = x;
  tanhInPlace(y.data(), static_cast<int64_t>(y.size()));
  for (size_t i = 0; i < x.size(); ++i) {
    const float exact = static_cast<float>(std::tanh(static_cast<double>(x[i])));
    const float unit = std::nextafter(std::abs(exact), 2.0f) - std::abs(exact);
    ASSERT_LE(std::abs(y[i] - exact), 2 * unit) << "at " << x[i];
    ASSERT_EQ(y[i], tanhOf(x[i]));
  }
  EXPECT_TRUE(std::isnan(tanhOf(NAN)));
}

TEST(Optimizer, AdamAgreesWithLibTorch) {
  Stream stream(5, "adam");
  std::vector<float> parameters = normals(stream, 1003);
  auto reference = torch::tensor(parameters).requires_grad_();
  torch::optim::Adam theirs({reference}, torch::optim::AdamOptions(1e-2).eps(1e-5));
  Adam ours(1003, 1e-5);
  for (int step = 0; step < 20; ++step) {
    const auto gradient = normals(stream, 1003);
    ours.step(gradient, 1e-2, 0, parameters);
    reference.mutable_grad() = torch::tensor(gradient);
    theirs.step();
  }
  EXPECT_TRUE(torch::allclose(torch::tensor(parameters), reference.detach(), 1e-5, 1e-6));
}

TEST(Optimizer, AdamAfterDecayIsAdamW) {
  Stream stream(7, "adamw");
  std::vector<float> parameters = normals(stream, 1003);
  auto reference = torch::tensor(parameters).requires_grad_();
  torch::optim::AdamW theirs(
      {reference}, torch::optim::AdamWOptions(1e-2).betas({0.9, 0.95}).eps(1e-8).weight_decay(0.5));
  Adam ours(1003, 1e-8, 0.9, 0.95);
  for (int step = 0; step < 20; ++step) {
    const auto gradient = normals(stream, 1003);
    decay(parameters, 1e-2 * 0.5);
    ours.step(gradient, 1e-2, 0, parameters);
    reference.mutable_grad() = torch::tensor(gradient);
    theirs.step();
  }
  EXPECT_TRUE(torch::allclose(torch::tensor(parameters), reference.detach(), 1e-5, 1e-6));
}

/// Twenty steps of 1003 parameters with rate 1e-2 by both.
template <class Ours>
void expectAgrees(Ours ours, const torch::optim::RMSpropOptions& options, Stream stream,
                  double tolerance) {
  std::vector<float> parameters = normals(stream, 1003);
  auto reference = torch::tensor(parameters).requires_grad_();
  torch::optim::RMSprop theirs({reference}, options);
  for (int step = 0; step < 20; ++step) {
    const auto gradient = normals(stream, 1003);
    ours.step(gradient, 1e-2, 0, parameters);
    reference.mutable_grad() = torch::tensor(gradient);
    theirs.step();
  }
  EXPECT_TRUE(torch::allclose(torch::tensor(parameters), reference.detach(), 1e-5, tolerance));
}

TEST(Optimizer, RmsPropAgreesWithLibTorch) {
  expectAgrees(RmsProp(1003, 1e-5, 0.9), torch::optim::RMSpropOptions(1e-2).alpha(0.9).eps(1e-5),
               Stream(6, "rmsprop"), 1e-6);
}

// With an ε that is nothing: theirs is added elsewhere.
TEST(Optimizer, CentredRmsPropAgreesWithLibTorch) {
  expectAgrees(CentredRmsProp(1003, 1e-20, 0.95),
               torch::optim::RMSpropOptions(1e-2).alpha(0.95).eps(1e-20).centered(true),
               Stream(8, "centred"), 1e-5);
}

// Where gradients stay as they are the variance comes to nothing, and ε alone bounds the step.
TEST(Optimizer, CentredRmsPropAddsEpsilonToTheVariance) {
  std::vector<float> parameters(1, 0.0f);
  CentredRmsProp optimizer(1, 1e-4, 0.5);
  const std::vector<float> gradient = {0.03f};
  for (int step = 0; step < 60; ++step) {
    optimizer.step(gradient, 1, 0, parameters);
  }
  const float before = parameters[0];
  optimizer.step(gradient, 1, 0, parameters);
  EXPECT_NEAR(before - parameters[0], 0.03 / std::sqrt(1e-4), 1e-3);
}

TEST(Optimizer, ClipsByTheGlobalNorm) {
  std::vector<float> clipped(4), plain(4);
  const std::vector<float> gradient = {30, 40, 0, 0};
  const std::vector<float> scaled = {3, 4, 0, 0};
  EXPECT_DOUBLE_EQ(normOf(gradient), 50);
  Adam a(4, 1.0), b(4, 1.0);
  a.step(gradient, 0.1, 5, clipped);
  b.step(scaled, 0.1, 0, plain);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(clipped[i], plain[i], 1e-6);
  }
}

TEST(Network, LayoutsAreTextAndBack) {
  const std::string text = "actor tanh 4 64 64 2; critic tanh 4 64 64 1; log_std vector 2";
  const NetworkLayout layout = NetworkLayout::parse(text);
  EXPECT_EQ(layout.text(), text);
  EXPECT_EQ(layout.parameters(), 4610 + 4545 + 2);
  EXPECT_EQ(layout.block("critic").offset, 4610);
  for (const char* wrong : {"", "actor", "actor relu 4", "actor sine 4 4", "a relu 4 x",
                            "a relu 4 0", "a relu 99999999999 2", "a vector"}) {
    EXPECT_THROW(NetworkLayout::parse(wrong).block("actor"), UserError) << wrong;
  }
}

TEST(Network, WeightsNameTheirTensorsAndRefuseAnotherNetwork) {
  const NetworkLayout layout = NetworkLayout::parse("q relu 2 3 1");
  std::vector<float> parameters(13);
  for (size_t i = 0; i < 13; ++i) {
    parameters[i] = static_cast<float>(i);
  }
  const Weights weights = makeWeights(parameters, layout);
  const NamedTensors named = weights.parameters();
  ASSERT_EQ(named.size(), 4U);
  EXPECT_EQ(named[0].first, "q.0.weight");
  EXPECT_EQ(named[0].second.sizes(), (torch::IntArrayRef{3, 2}));
  EXPECT_EQ(named[0].second[0][1].item<float>(), 3);
  EXPECT_EQ(named[3].first, "q.1.bias");
  NamedTensors saved = weights.namedTensors();
  EXPECT_EQ(saved.back().first, "network");
  const torch::Tensor text = saved.back().second;
  EXPECT_EQ(std::string(text.data_ptr<uint8_t>(), text.data_ptr<uint8_t>() + text.numel()),
            layout.text());
  saved.pop_back();
  EXPECT_EQ(saved.size(), named.size());
  std::vector<float> back;
  copyParameters(weights, layout, back);
  EXPECT_EQ(back, parameters);
  EXPECT_THROW(copyParameters(weights, NetworkLayout::parse("q relu 2 4 1"), back), UserError);
}

TEST(Network, NormedLayersBeginAsTheyAre) {
  const NetworkLayout layout = NetworkLayout::parse("p normed_silu 2 3 1");
  EXPECT_EQ(layout.parameters(), 9 + 6 + 4);
  for (const bool orthogonal : {false, true}) {
    std::vector<float> parameters(19, NAN);
    Stream stream(1, "init");
    orthogonal ? initOrthogonal(layout.block("p"), 1.0f, stream, parameters)
               : initUniform(layout.block("p"), stream, parameters);
    const NamedTensors named = makeWeights(parameters, layout).parameters();
    ASSERT_EQ(named.size(), 6U);
    EXPECT_EQ(named[2].first, "p.0.norm.weight");
    EXPECT_TRUE(torch::equal(named[2].second, torch::ones({3})));
    EXPECT_EQ(named[3].first, "p.0.norm.bias");
    EXPECT_TRUE(torch::equal(named[3].second, torch::zeros({3})));
    EXPECT_EQ(named[4].first, "p.1.weight");
    for (const auto& [name, tensor] : named) {
      EXPECT_TRUE(torch::isfinite(tensor).all().item<bool>()) << name;
    }
  }
}

TEST(Network, OrthogonalLayersAreOrthogonal) {
  const NetworkLayout layout = NetworkLayout::parse("a tanh 4 64 32 2");
  std::vector<float> parameters(static_cast<size_t>(layout.parameters()));
  Stream stream(1, "init");
  initOrthogonal(layout.block("a"), 0.01f, stream, parameters);
  const NamedTensors named = makeWeights(parameters, layout).parameters();
  for (size_t l = 0; l < 3; ++l) {
    torch::Tensor w = named[2 * l].second;
    w = w.size(0) < w.size(1) ? w : w.t();
    const double gain = l == 2 ? 1e-4 : 2.0;
    EXPECT_TRUE(torch::allclose(w.mm(w.t()), gain * torch::eye(w.size(0)), 1e-4, 1e-6));
    EXPECT_EQ(named[2 * l + 1].second.abs().sum().item<float>(), 0);
  }
}

}  // namespace
}  // namespace fdg::rl
