// What a library tells fdgc about its classes and functions. They change nothing in a plain
// compile.
//
//   class FDG_ROLE("buffer") FDG_APPROXIMATE("samples from its own share") Replay { … };
//   FDG_PURE Spec envSpec(const std::string& name);
//   void load(FDG_LATEST const Weights& weights);
#pragma once

#if defined(__clang__)
#define FDG_ANNOTATE(text) [[clang::annotate(text)]]
#else
#define FDG_ANNOTATE(text)
#endif

/// The class is a component of this role; fragments are named by their roles.
#define FDG_ROLE(name) FDG_ANNOTATE("fdg::role=" name)
/// Replicas of this component together are not the same as one; the reason is shown to the user.
#define FDG_APPROXIMATE(reason) FDG_ANNOTATE("fdg::approximate=" reason)
/// There is one of this component: replicas would take in different things and go apart. The reason
/// is shown to the user; policies that replicate it are refused.
#define FDG_SINGLE(reason) FDG_ANNOTATE("fdg::single=" reason)
/// The function depends on its arguments alone and writes nothing: it may be copied into every
/// fragment.
#define FDG_PURE FDG_ANNOTATE("fdg::pure")
/// The method of a component returns a fresh value or one that it keeps no handle to (the default;
/// said for functions that are given handles).
#define FDG_FRESH FDG_ANNOTATE("fdg::fresh")
/// Only the latest value given to this parameter matters: skipping older ones loses nothing.
#define FDG_LATEST FDG_ANNOTATE("fdg::latest")
