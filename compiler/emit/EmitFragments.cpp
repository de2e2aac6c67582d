#include "compiler/emit/EmitFragments.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/emit/CodeWriter.h"
#include "compiler/emit/EmitSequential.h"
#include "compiler/emit/FragmentEmitter.h"
#include "compiler/read/FindEntry.h"
#include "compiler/read/SpellType.h"

namespace fdg::compiler {
namespace {

constexpr const char* kQuiet =
    "#pragma clang diagnostic push\n"
    "#pragma clang diagnostic ignored \"-Wunused\"\n"
    "#pragma clang diagnostic ignored \"-Wunused-parameter\"\n"
    "#pragma clang diagnostic ignored \"-Wunused-but-set-variable\"\n";

/// Inlined into the table of the plan, each function would be optimised once more.
constexpr const char* kFunction = "__attribute__((noinline)) static ";

/// "ns::inner::" for what is declared in such a namespace; unnamed ones are looked through.
std::string scopeOf(const clang::Decl* decl) {
  std::string scope;
  for (const clang::DeclContext* context = decl->getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(context);
    if (named != nullptr && !named->getNameAsString().empty()) {
      scope = named->getNameAsString() + "::" + scope;
    }
  }
  return scope;
}

std::string configName(const Program& program) {
  const clang::QualType type = program.config->getType().getNonReferenceType();
  return "::" + canonicalType(type, *program.context);
}

std::string parameters(const Program& program, const SourceText& source, const std::string& last) {
  return "(" + source.exact(program.entry->getParametersSourceRange()).text + ", " + last + ")";
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

/// `__func__` and its like outside of lambdas, each with the text that it is in the user's
/// function.
class OwnNames final : public clang::RecursiveASTVisitor<OwnNames> {
 public:
  bool TraverseLambdaExpr(clang::LambdaExpr* /*lambda*/) { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl* /*record*/) { return true; }
  bool VisitPredefinedExpr(clang::PredefinedExpr* e) {
    found[e->getIdentKindName().str()] = e->getFunctionName()->getString().str();
    return true;
  }
  std::map<std::string, std::string> found;
};

/// Fragments have names of their own, which the program's text is not to see.
std::string withOwnNames(const Program& program, const std::string& functions) {
  OwnNames names;
  names.TraverseStmt(program.entry->getBody());
  std::string defined;
  std::string undefined;
  for (const auto& [word, name] : names.found) {
    defined += "#define " + word + " " + quoted(name) + "\n";
    undefined += "#undef " + word + "\n";
  }
  return defined + functions + undefined;
}

std::string sequentialFunction(const Program& program, const Split& split,
                               const std::string& file) {
  const SourceText source(*program.context);
  const Piece body = emitSequentialBody(program, split);
  CodeWriter out(file);
  out.line(
      "// The training function as it was written, telling a tape what crosses: the oracle of "
      "--verify.");
  out.line(std::string(kFunction) + "void fdgSequential" +
           parameters(program, source, "::fdg::host::Tape& fdg_tape"));
  out.copy(body);
  out.blank();
  return out.text();
}

std::string fragmentText(const Program& program, const Split& split, int id,
                         const std::string& file) {
  const FragmentInfo& info = split.fragments[static_cast<size_t>(id)].info;
  const SourceText source(*program.context);
  CodeWriter out(file);
  out.line("// Fragment " + info.name + ": " +
           (info.components.empty() ? "no components" : list(info.components)) + ".");
  out.open(std::string(kFunction) + "::fdg::host::Task " + fragmentFunction(info) +
           parameters(program, source, "::fdg::host::Ports& fdg_ports"));
  FragmentEmitter(program, split, id, out).emitBody();
  out.line("co_return;");
  out.close();
  out.blank();
  return out.text();
}

/// The field's visit: plain types directly, enums and optionals by text.
std::string visitField(const SettableField& field) {
  const std::string name = quoted(field.info.name);
  std::string choices;
  for (const std::string& choice : field.choices) {
    choices +=
        (choices.empty() ? "" : ", ") + ("{" + quoted(choice) + ", " + field.scope) + choice + "}";
  }
  const std::string place = "config." + field.info.name;
  if (field.is_optional) {
    return "fdg::visitOptional(visitor, " + name + ", " + place +
           (choices.empty() ? "" : ", {" + choices + "}") + ");";
  }
  return choices.empty()
             ? "visitor.field(" + name + ", " + place + ");"
             : "fdg::visitEnum(visitor, " + name + ", " + place + ", {" + choices + "});";
}

std::string configFields(const Program& program) {
  const bool by_text = std::ranges::any_of(program.config_fields, [](const SettableField& field) {
    return field.is_optional || !field.choices.empty();
  });
  CodeWriter out("");
  if (by_text) {
    out.line("#include \"fdg/config_text.h\"");
  }
  out.line("// The config's fields by name, for --set.");
  out.line("template <>");
  out.open("struct fdg::ConfigFields<" + configName(program) + ">");
  out.open("static void visit([[maybe_unused]] " + configName(program) +
           "& config, [[maybe_unused]] fdg::ConfigVisitor& visitor)");
  for (const SettableField& field : program.config_fields) {
    out.line(visitField(field));
  }
  out.close();
  out.close(";");
  return out.text();
}

std::string planTable(const Program& program, const Split& split) {
  const std::string scope = "::" + scopeOf(program.entry);
  const std::string config = configName(program);
  CodeWriter out("");
  out.line("// What fdg-run loads.");
  out.open(
      "extern \"C\" __attribute__((visibility(\"default\"))) const fdg::host::PlanCode* "
      "fdgPlanCode()");
  out.open("static const fdg::host::FragmentCode fragments[] =");
  for (const FragmentPart& part : split.fragments) {
    out.open("{" + std::to_string(part.info.id) +
             ", [](fdg::Run& run, const void* config, fdg::host::Ports& ports)");
    out.line("return " + scope + fragmentFunction(part.info) + "(run, *static_cast<const " +
             config + "*>(config), ports);");
    out.close("},");
  }
  out.close(";");
  out.open("static const fdg::host::PlanCode plan =");
  out.line(std::to_string(kInterfaceVersion) + ",");
  out.line("[]() -> void* { return new " + config + "(); },");
  out.line("[](void* config) { delete static_cast<" + config + "*>(config); },");
  out.open("[](void* config, fdg::ConfigVisitor& visitor)");
  out.line("fdg::ConfigFields<" + config + ">::visit(*static_cast<" + config +
           "*>(config), visitor);");
  out.close(",");
  out.line("{fragments, " + std::to_string(split.fragments.size()) + "},");
  out.open("[](fdg::Run& run, const void* config, fdg::host::Tape& tape)");
  out.line(scope + "fdgSequential(run, *static_cast<const " + config + "*>(config), tape);");
  out.close(",");
  out.close(";");
  out.line("return &plan;");
  out.close();
  return out.text();
}

/// Another function of the program calls the training function or takes its address.
class Mentions final : public clang::RecursiveASTVisitor<Mentions> {
 public:
  explicit Mentions(const clang::FunctionDecl* entry) : entry_(entry) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(e->getDecl());
    found |= function != nullptr && function->getCanonicalDecl() == entry_->getCanonicalDecl();
    return !found;
  }
  bool found = false;

 private:
  const clang::FunctionDecl* entry_;
};

bool isMentioned(const Program& program) {
  Mentions mentions(program.entry);
  forEachUserDecl(*program.context, [&](clang::Decl* decl) { mentions.TraverseDecl(decl); });
  return mentions.found;
}

/// Where the function begins with all that belongs to it: `extern "C"` in front of it does.
clang::SourceLocation beginOf(const clang::FunctionDecl* function) {
  const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(function->getLexicalDeclContext());
  return linkage != nullptr && !linkage->hasBraces() ? linkage->getBeginLoc()
                                                     : function->getBeginLoc();
}

std::string lineDirective(int line, const std::string& file) {
  return "#line " + std::to_string(line) + " " + quoted(file) + "\n";
}

}  // namespace

std::string fragmentFunction(const FragmentInfo& fragment) {
  std::string name = "fdgFragment_" + fragment.name;
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return name;
}

Projection project(const Program& program, const Split& split, const std::string& file) {
  const SourceText source(*program.context);
  Projection projection;
  projection.begin = source.offset(beginOf(program.entry));
  projection.end = source.range(program.entry->getBody()->getSourceRange()).end;
  std::string functions = sequentialFunction(program, split, file);
  for (const FragmentPart& part : split.fragments) {
    functions += fragmentText(program, split, part.info.id, file);
  }
  projection.functions = std::string("\n") + kQuiet + withOwnNames(program, functions);
  if (isMentioned(program)) {
    projection.functions += lineDirective(source.lineOf(projection.begin), file) +
                            source.file().slice(projection.begin, projection.end).str() + "\n";
  }
  projection.functions +=
      "#pragma clang diagnostic pop\n" + lineDirective(source.lineOf(projection.end), file);
  projection.tables = configFields(program) + "\n" + planTable(program, split);
  return projection;
}

std::string emitFragments(const Program& program, const Split& split, const std::string& file) {
  const std::string text = SourceText(*program.context).file().str();
  const Projection projection = project(program, split, file);
  return "// Generated by fdgc from " + file + ".\n#include \"fdg/fragment.h\"\n" +
         lineDirective(1, file) + text.substr(0, projection.begin) + projection.functions +
         text.substr(projection.end) + "\n\n" + projection.tables;
}

std::string emitSequentialProgram(const Program& program, const std::string& file,
                                  std::optional<clang::SourceLocation> mark) {
  const SourceText source(*program.context);
  const std::string text = source.file().str();
  const unsigned place = mark ? source.offset(*mark) : static_cast<unsigned>(text.size());
  std::string code = "// Generated by fdgc from " + file + ".\n" + lineDirective(1, file) +
                     text.substr(0, place) + "\n";
  code += configFields(program);
  if (!mark) {
    code +=
        "FDG_SEQUENTIAL_MAIN(" + scopeOf(program.entry) + program.entry->getNameAsString() + ");\n";
    return code;
  }
  code += "#undef FDG_PROGRAM\n#define FDG_PROGRAM(function) FDG_SEQUENTIAL_MAIN(function)\n";
  return code + lineDirective(source.lineOf(place), file) + text.substr(place);
}

}  // namespace fdg::compiler
