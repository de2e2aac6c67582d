#include "compiler/emit/EmitManifest.h"

#include "compiler/read/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

namespace fdg::compiler {

Manifest emitManifest(const Program& program, const Split& split, const Toolchain& toolchain,
                      const std::string& file) {
  Manifest manifest;
  manifest.torch_version = toolchain.torch_version;
  manifest.compiler = toolchain.compiler_version;
  manifest.program = program.entry->getNameAsString();
  manifest.source = file;
  // The user's file, not its text with cuts of fdgc's own.
  const auto buffer = llvm::MemoryBuffer::getFile(file);
  const llvm::StringRef text =
      buffer ? (*buffer)->getBuffer() : SourceText(*program.context).file();
  const auto digest = llvm::SHA256::hash(llvm::ArrayRef(text.bytes_begin(), text.size()));
  manifest.source_hash = "sha256:" + llvm::toHex(digest, /*LowerCase=*/true);
  manifest.config_type = program.config_type->getQualifiedNameAsString();
  for (const SettableField& field : program.config_fields) {
    manifest.config.push_back(field.info);
  }
  for (const FragmentPart& part : split.fragments) {
    manifest.fragments.push_back(part.info);
  }
  for (const Boundary& boundary : split.boundaries) {
    manifest.boundaries.push_back(boundary.info);
  }
  manifest.loops = split.loops;
  manifest.rate_classes = split.rate_classes;
  return manifest;
}

}  // namespace fdg::compiler
