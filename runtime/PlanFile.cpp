#include "runtime/PlanFile.h"

#include <dlfcn.h>
#include <elf.h>
#include <torch/version.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>

#include "base/ReadFile.h"
#include "base/Seal.h"

namespace fdg {
namespace {

constexpr const char* kSection = ".fdg.manifest";

/// A T at `offset`, if the file is that long.
template <class T>
std::optional<T> readAt(std::string_view file, uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::optional<std::string_view> bytesAt(std::string_view file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || file.size() - offset < size) {
    return std::nullopt;
  }
  return file.substr(offset, size);
}

bool isElf(std::string_view file) {
  return file.size() >= EI_NIDENT && file.starts_with(std::string_view(ELFMAG, SELFMAG)) &&
         file[EI_CLASS] == ELFCLASS64 && file[EI_DATA] == ELFDATA2LSB;
}

enum class Found { yes, no, torn };

struct Section {
  Found found = Found::torn;
  std::string_view content;
};

/// Finds a section by name; every offset in the file is checked before it is followed.
Section findSection(std::string_view file, std::string_view name) {
  const auto header = readAt<Elf64_Ehdr>(file, 0);
  if (!header || header->e_shentsize != sizeof(Elf64_Shdr) ||
      !bytesAt(file, header->e_shoff, uint64_t{header->e_shnum} * sizeof(Elf64_Shdr))) {
    return {};
  }
  const auto sectionAt = [&](uint64_t index) {
    return readAt<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = sectionAt(header->e_shstrndx);
  const auto strings = names ? bytesAt(file, names->sh_offset, names->sh_size) : std::nullopt;
  if (!strings) {
    return {};
  }
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = sectionAt(i);
    if (!section || section->sh_name >= strings->size()) {
      return {};
    }
    const std::string_view rest = strings->substr(section->sh_name);
    if (rest.substr(0, rest.find('\0')) == name) {
      const auto content = bytesAt(file, section->sh_offset, section->sh_size);
      return content ? Section{Found::yes, *content} : Section{};
    }
  }
  return {Found::no, {}};
}

Result<std::string> readWhole(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    return Error{path +
                 " is a folder, not a plan; build one with fdgc PROGRAM.cpp -o PROGRAM.plan"};
  }
  std::optional<std::string> content = contentOf(path);
  if (!content) {
    const std::string cause = std::strerror(errno);
    return Error{"cannot read the plan " + path + ": " + cause +
                 "; build one with fdgc PROGRAM.cpp -o PROGRAM.plan"};
  }
  return *std::move(content);
}

std::string versionFault(const std::string& path, const Manifest& manifest) {
  const std::string again = "; build the plan again with the fdgc beside this fdg-run";
  if (manifest.interface_version != kInterfaceVersion) {
    return path + " was compiled against version " + std::to_string(manifest.interface_version) +
           " of the library's headers, this fdg-run hosts version " +
           std::to_string(kInterfaceVersion) + again;
  }
  if (manifest.torch_version != TORCH_VERSION) {
    return path + " was compiled against LibTorch " + manifest.torch_version +
           ", this fdg-run is linked with LibTorch " + TORCH_VERSION + again;
  }
  return {};
}

}  // namespace

Result<Manifest> readPlanManifest(const std::string& path) {
  auto file = readWhole(path);
  if (!file) {
    return Error{file.error()};
  }
  if (!isElf(*file)) {
    const bool source = path.ends_with(".cpp") || path.ends_with(".cc") || path.ends_with(".cxx");
    return Error{path +
                 (source ? " is a program's source; compile it first: fdgc " + path + " -o " +
                               std::filesystem::path(path).stem().string() + ".plan"
                         : " is not a plan; plans are made by fdgc PROGRAM.cpp -o PROGRAM.plan")};
  }
  const Section section = findSection(*file, kSection);
  if (section.found == Found::torn) {
    return Error{path +
                 " is damaged or was not written to its end; build the plan again with fdgc"};
  }
  if (section.found == Found::no) {
    return Error{path +
                 " is a program or library without a manifest, not a plan; plans are made by fdgc "
                 "PROGRAM.cpp -o PROGRAM.plan"};
  }
  if (!sealHolds(*file)) {
    return Error{path + " has changed since fdgc wrote it (its checksum is another); build the plan "
                        "again with fdgc"};
  }
  std::string text(section.content);
  while (text.ends_with('\0')) {
    text.pop_back();
  }
  auto manifest = readManifest(text);
  if (!manifest) {
    return Error{path + ": " + manifest.error()};
  }
  if (const std::string fault = versionFault(path, *manifest); !fault.empty()) {
    return Error{fault};
  }
  return manifest;
}

Result<const host::PlanCode*> loadPlan(const std::string& path, const Manifest& manifest) {
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Error{path + " cannot be loaded: " + ::dlerror() + "; build the plan again with fdgc"};
  }
  using Entry = const host::PlanCode* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, "fdgPlanCode"));
  const host::PlanCode* code = entry == nullptr ? nullptr : entry();
  if (code == nullptr) {
    return Error{
        path +
        " has a manifest but no code (fdgPlanCode is missing); build the plan again with fdgc"};
  }
  if (code->interface_version != manifest.interface_version ||
      code->fragments.size() != manifest.fragments.size()) {
    return Error{
        path +
        ": its code and its manifest do not belong together; build the plan again with fdgc"};
  }
  return code;
}

}  // namespace fdg
