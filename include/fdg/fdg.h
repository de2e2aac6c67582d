// FDG for the writer of a program: Run, partition, the operations, random streams.
//
//   struct Config { int64_t steps = 1000; };
//   void train(fdg::Run& run, const Config& cfg) { … fdg::partition(fdg::gather, obs); … }
//   FDG_PROGRAM(train)
//
// A program compiles with any C++20 compiler against this header and runs sequentially; fdgc splits
// it.
#pragma once

#include <torch/torch.h>

#include "fdg/marks.h"
#include "fdg/operations.h"
#include "fdg/program.h"
#include "fdg/run.h"
#include "fdg/stream.h"
#include "fdg/value.h"
