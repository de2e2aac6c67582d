#include "fdg/archive.h"

namespace fdg {
namespace {

bool isLeaf(const at::Tensor& v) { return v.defined() && v.requires_grad() && v.is_leaf(); }

}  // namespace

void Archive::tensor(at::Tensor& v) {
  at::Tensor values = v;
  plain(values);
  if (!saving_ && !isIn(v, values)) {
    v = values;
  }
  gradient(v);
}

/// Restores a leaf in place, so that its optimizer still knows it, and says whether it could. One
/// that another field has restored already is right only if both were one when they were saved.
bool Archive::isIn(at::Tensor& v, const at::Tensor& values) {
  if (!isLeaf(v) || !isLeaf(values) || v.sizes() != values.sizes() ||
      !v.options().type_equal(values.options())) {
    return false;
  }
  if (leaves_->insert(v.unsafeGetTensorImpl()).second) {
    v.set_data(values.detach());
  }
  return v.is_alias_of(values);
}

void Archive::gradient(at::Tensor& v) {
  bool present = isLeaf(v) && v.grad().defined();
  plain(present);
  if (present) {
    at::Tensor values = v.grad();
    plain(values);
    v.mutable_grad() = values;
  } else if (isLeaf(v)) {
    v.mutable_grad().reset();
  }
}

void Archive::module(torch::nn::Module& v) {
  bool training = v.is_training();
  plain(training);
  v.train(training);
  for (at::Tensor& tensor : v.parameters()) {
    inPlace(tensor);
  }
  for (at::Tensor& tensor : v.buffers()) {
    inPlace(tensor);
  }
}

/// Others hold handles of it: its storage gets the values.
void Archive::inPlace(at::Tensor& tensor) {
  at::Tensor values = tensor.detach();
  plain(values);
  if (!saving_) {
    if (values.sizes() != tensor.sizes()) {
      throw UserError("what was saved has a module's tensor of another shape");
    }
    tensor.detach().copy_(values);
  }
  gradient(tensor);
}

}  // namespace fdg
