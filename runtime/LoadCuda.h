// LibTorch on the CPU → LibTorch with its CUDA part, if a policy puts anything on a GPU.
//
// Call it before the first use of LibTorch in this process (loading a plan is one): what it has is
// looked up once. Takes 1.5 s and some hundred MB, so runs without a GPU leave it out. Throws
// UserError if the part or one of its libraries is not installed.
#pragma once

namespace fdg {

void loadCuda();

}  // namespace fdg
