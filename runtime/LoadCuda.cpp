#include "runtime/LoadCuda.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <filesystem>
#include <string>

#include "base/Result.h"

namespace fdg {

void loadCuda() {
  // Beside the part that is there already: that of another installation would not fit.
  std::filesystem::path library = "libtorch_cuda.so";
  Dl_info part = {};
  if (::dladdr(reinterpret_cast<const void*>(&at::globalContext), &part) != 0) {
    library = std::filesystem::path(part.dli_fname).parent_path() / library;
  }
  if (::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    throw UserError(std::string("the policy puts fragments on a GPU, and LibTorch's CUDA part cannot "
                                "be loaded: ") +
                    ::dlerror() + "; install torch==" TORCH_VERSION
                    " with its CUDA packages (pip install torch==" TORCH_VERSION
                    "), or use device: cpu");
  }
  if (at::detail::getCUDAHooks().getNumGPUs() == 0) {
    throw UserError(
        "the policy puts fragments on a GPU, and CUDA finds none that it can use (nvidia-smi shows "
        "whether the driver runs, $CUDA_VISIBLE_DEVICES what it may see); or use device: cpu");
  }
}

}  // namespace fdg
