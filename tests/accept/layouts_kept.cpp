// What crosses arrives as it was: strides, which sums depend on in the last bits; the order of a hash map.
#include <string>
#include <unordered_map>

#include "parts.h"

struct Config {
  int64_t steps = 6;
};

class FDG_ROLE("camera") Camera {
 public:
  torch::Tensor frame() {
    ++frames_;
    return torch::sin(torch::arange(2 * 37 * 29 * 3, torch::kFloat) * (0.7 + frames_)).view({2, 37, 29, 3});
  }
  std::unordered_map<std::string, double> weights() {
    std::unordered_map<std::string, double> made;
    for (int64_t i = 0; i < 40 + frames_; ++i) {
      made["w" + std::to_string(i * i)] = 1.0 / static_cast<double>(3 + i);
    }
    made.erase("w25");
    return made;
  }
  void note(int64_t x) { frames_ += x % 2; }

 private:
  int64_t frames_ = 0;
};

class FDG_ROLE("viewer") Viewer {
 public:
  void look(const torch::Tensor& image) {
    sum_ = sum_ * 0.5F + image.sum().item<float>() + image[0].flatten(1).matmul(image[1].flatten(1).t()).sum().item<float>();
    laid_out_ = laid_out_ * 3 + image.stride(1) + image.stride(-1);
  }
  void weigh(double x) { sum_ = sum_ * 1.01F + static_cast<float>(x); }
  double sum() const { return sum_; }
  int64_t laidOut() const { return laid_out_ % 1009; }

 private:
  float sum_ = 0;
  int64_t laid_out_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Camera camera;
  Viewer viewer;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto planes = camera.frame().permute({0, 3, 1, 2});
    auto turned = camera.frame().transpose(1, 2);
    auto cropped = camera.frame().slice(1, 3, 30).slice(2, 1, 20);
    auto repeated = camera.frame().select(0, 0).expand({2, 37, 29, 3});
    auto weights = camera.weights();
    fdg::partition(fdg::broadcast, planes, turned, cropped, repeated, weights);
    viewer.look(planes);
    viewer.look(turned);
    viewer.look(cropped);
    viewer.look(repeated);
    for (const auto& [name, weight] : weights) {
      viewer.weigh(weight * static_cast<double>(name.size()));
    }
    int64_t laid_out = viewer.laidOut();
    fdg::partition(fdg::broadcast, laid_out);
    camera.note(laid_out);
    run.log("sum", viewer.sum());
  }
}
FDG_PROGRAM(train)
