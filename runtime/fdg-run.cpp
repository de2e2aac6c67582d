// fdg-run: runs a plan under a policy. docs/runtime.md is its manual.
#include <string>
#include <vector>

#include "runtime/Launch.h"
#include "runtime/host/WorkerThreads.h"

int main(int argc, char** argv) {
  return fdg::launch(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                     fdg::host::runWorkers);
}
