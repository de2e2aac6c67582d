// fdg-run: runs a plan under a policy. docs/runtime.md is its manual.
#include <malloc.h>

#include <string>
#include <vector>

#include "runtime/Launch.h"
#include "runtime/host/WorkerThreads.h"

int main(int argc, char** argv) {
  // Batches and messages come and go in every iteration. Memory that went back to the system in
  // between would cost a page fault for each of its pages every time.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  return fdg::launch(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                     fdg::host::runWorkers);
}
