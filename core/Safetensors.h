// Tensors as a safetensors file and back: the format that Python, Rust and the hub read.
//
// A reader sees the old file or the whole new one (WholeFile.h).
// Tensors are stored contiguous, on the CPU, in the given order; names must be unique.
#pragma once

#include <string>

#include "base/Result.h"
#include "fdg/run.h"

namespace fdg {

/// Throws UserError if the file cannot be written (folder missing, disk full), naming it and the
/// cause.
void writeSafetensors(const std::string& path, const NamedTensors& tensors);
/// The bytes of such a file; `name` is for errors.
std::string safetensorsBytes(const std::string& name, const NamedTensors& tensors);
Result<NamedTensors> readSafetensors(const std::string& path);

}  // namespace fdg
