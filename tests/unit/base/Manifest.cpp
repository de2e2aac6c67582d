#include "base/Manifest.h"

#include <gtest/gtest.h>

namespace fdg {
namespace {

Manifest example() {
  Manifest manifest;
  manifest.program = "train";
  manifest.config = {{"steps", "int", "1000", "Iterations."}};
  manifest.fragments.resize(2);
  manifest.fragments[0] = {0, "environment", {"environment"}, {"envs"}, {10, 12}, {}, false, "",
                           {}};
  manifest.fragments[1] = {1,    "learner", {"learner"}, {"learner"}, {14}, {false, "line 14"},
                           true, "why",     {}};
  BoundaryInfo boundary;
  boundary.name = "batch";
  boundary.operation = OperationKind::reduce_mean;
  boundary.producer = 0;
  boundary.consumers = {1};
  boundary.values = {"batch"};
  boundary.types = {"at::Tensor"};
  boundary.loops = {5};
  manifest.boundaries = {boundary};
  manifest.loops = {{5, -1, 11, true, "cfg.steps", {0, 1}, {{"envs"}, {}}, {false, "`x` changes"}}};
  manifest.rate_classes = {{{0, 1}, {"batch"}}};
  return manifest;
}

TEST(Manifest, ComesBackAsItWasWritten) {
  const std::string text = writeManifest(example());
  Result<Manifest> read = readManifest(text);
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(writeManifest(*read), text);
  EXPECT_EQ(read->boundaries[0].operation, OperationKind::reduce_mean);
  EXPECT_EQ(read->fragments[1].replicable.reason, "line 14");
}

TEST(Manifest, AnotherVersionIsRefusedWithBothNumbers) {
  Manifest manifest = example();
  manifest.manifest_version = 99;
  const Result<Manifest> read = readManifest(writeManifest(manifest));
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().find("version 99"), std::string::npos);
  EXPECT_NE(read.error().find("reads version " + std::to_string(kManifestVersion)), std::string::npos);
}

TEST(Manifest, EveryCutOfTheTextIsRefused) {
  const std::string text = writeManifest(example());
  for (size_t size = 0; size + 3 < text.size(); ++size) {
    EXPECT_FALSE(readManifest(text.substr(0, size)).ok()) << size;
  }
}

TEST(Manifest, IdsThatPointNowhereAreRefused) {
  Manifest manifest = example();
  manifest.boundaries[0].consumers = {7};
  EXPECT_FALSE(readManifest(writeManifest(manifest)).ok());
  manifest = example();
  manifest.fragments[1].id = 0;
  EXPECT_FALSE(readManifest(writeManifest(manifest)).ok());
}

TEST(Manifest, WrongTypesNameTheField) {
  std::string text = writeManifest(example());
  const size_t at = text.find("\"conditional\": false");
  text.replace(at, 20, "\"conditional\": \"no\"");
  const Result<Manifest> read = readManifest(text);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().find("conditional"), std::string::npos);
}

}  // namespace
}  // namespace fdg
