#include "compiler/emit/BuildPlan.h"

#include "base/Check.h"
#include "base/Seal.h"
#include "compiler/emit/RunTool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fdg::compiler {
namespace {

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::vector<std::string> compileCommand(const BuildJob& job, const UserFlags& flags,
                                        const Toolchain& toolchain) {
  std::vector<std::string> args = {toolchain.clang};
  append(args, toolchain.flags);
  append(args, flags.compile);
  if (flags.fit_precompiled_header) {
    append(args, {"-include-pch", toolchain.precompiled});
  } else {
    append(args, {"-include", toolchain.header});
  }
  const llvm::StringRef folder = llvm::sys::path::parent_path(job.source);
  append(args, {"-iquote", folder.empty() ? "." : folder.str()});
  return args;
}

/// The manifest's bytes go in by the assembler: exact, and not part of the text that people read.
std::string withManifest(const BuildJob& job, const TemporaryFolder& folder) {
  if (job.manifest.empty()) {
    return job.code;
  }
  const std::string file = folder.file("manifest.json");
  writeWhole(file, job.manifest);
  return job.code + "\n__asm__(\".pushsection .fdg.manifest,\\\"\\\",@progbits\\n.incbin \\\"" +
         file + "\\\"\\n.popsection\");\n";
}

/// Does clang take the user's file as it is? If not, its errors are the user's.
bool programCompiles(const BuildJob& job, const UserFlags& flags, const Toolchain& toolchain,
                     const TemporaryFolder& folder) {
  std::vector<std::string> args = compileCommand(job, flags, toolchain);
  append(args, {"-fsyntax-only", job.source});
  const ToolResult result = runTool(args, "", folder);
  if (result.exit_code != 0) {
    llvm::errs() << result.errors;
  }
  return result.exit_code == 0;
}

/// Throws UserError for a library that the flags name and the linker does not find.
void checkLibraries(const std::string& errors, const UserFlags& flags) {
  for (const std::string& flag : flags.link) {
    const llvm::StringRef name = llvm::StringRef(flag).substr(flag.starts_with("-l") ? 2 : 0);
    const std::string complaint = "unable to find library -l" + name.str();
    const bool whole = llvm::StringRef(errors).contains(complaint + "\n");
    if (!name.empty() && !name.starts_with("-") && whole) {
      throw UserError("there is no library " + name.str() + " (-l" + name.str() +
                      " after --): name the folder that has lib" + name.str() + ".so or lib" +
                      name.str() + ".a by -L folder, in front of it");
    }
  }
}

Built explainFailure(const BuildJob& job, const UserFlags& flags, const Toolchain& toolchain,
                     const std::string& errors, const TemporaryFolder& folder) {
  if (!programCompiles(job, flags, toolchain, folder)) {
    return Built::program_is_wrong;
  }
  const std::string kept = job.output + ".cpp";
  writeWhole(kept, job.code);
  llvm::errs() << errors << "fdgc: the code generated for " << job.source
               << " does not compile. This is a bug of fdgc, in its step CompileCode, not of the "
                  "program. The generated file is kept as "
               << kept << "; please report it together with the program.\n";
  return Built::we_are_wrong;
}

}  // namespace

CompiledCode compileCode(const BuildJob& job, const Toolchain& toolchain) {
  const UserFlags flags = sortUserFlags(job.flags);
  const TemporaryFolder folder;
  std::vector<std::string> args = compileCommand(job, flags, toolchain);
  const std::string object = folder.file("program.o");
  // The user has seen the warnings of the program's text already. Reading from standard input keeps
  // the name of the temporary folder out of the object.
  append(args, {"-w", "-c", "-o", object, "-x", "c++", "-"});
  const ToolResult result = runTool(args, withManifest(job, folder), folder);
  if (result.exit_code != 0) {
    return {explainFailure(job, flags, toolchain, result.errors, folder), ""};
  }
  const auto bytes = llvm::MemoryBuffer::getFile(object);
  FDG_CHECK(bytes, "clang wrote no object");
  return {Built::made, (*bytes)->getBuffer().str()};
}

Built linkCode(const BuildJob& job, const CompiledCode& code, const Toolchain& toolchain) {
  const UserFlags flags = sortUserFlags(job.flags);
  const TemporaryFolder folder;
  const std::string object = folder.file("program.o");
  const std::string linked = folder.file("program");
  writeWhole(object, code.object);
  std::vector<std::string> args = {toolchain.clang, object, "-o", linked};
  if (!job.manifest.empty()) {
    append(args, {"-shared", "-Wl,-z,defs"});
  }
  append(args, toolchain.link);
  append(args, flags.link);
  const ToolResult result = runTool(args, "", folder);
  if (result.exit_code != 0) {
    checkLibraries(result.errors, flags);
    llvm::errs() << result.errors << "fdgc: " << job.source
                 << " does not link: it uses functions that are declared but in no library. Name "
                    "their library "
                    "after --, as in `-- -L folder -lname`.\n";
    return Built::program_is_wrong;
  }
  const auto bytes = llvm::MemoryBuffer::getFile(linked);
  FDG_CHECK(bytes, "the linker wrote nothing");
  const std::string program = (*bytes)->getBuffer().str();
  writeWhole(job.output, job.manifest.empty() ? program : sealed(program));
  if (job.manifest.empty()) {
    const auto mode = llvm::sys::fs::getPermissions(job.output);
    const auto runnable =
        llvm::sys::fs::owner_exe | llvm::sys::fs::group_exe | llvm::sys::fs::others_exe;
    if (mode && llvm::sys::fs::setPermissions(job.output, *mode | runnable)) {
      throw UserError(job.output + " cannot be made executable");
    }
  }
  return Built::made;
}

}  // namespace fdg::compiler
