// mpirun's standard error → what a user should read of it.
//
// mpirun wraps its own messages into banners between lines of dashes, or puts [host:process] in front
// of them; they say in many words what a worker has already said in one. The filter passes
// everything else on as it comes, half lines too (the live line is one), and keeps the banners, for
// the case that no worker said anything.
// Pure; one thread.
#pragma once

#include <string>

namespace fdg {

class BannerFilter {
 public:
  /// What may be passed on now.
  std::string pass(const std::string& bytes);
  /// What was held back and is no banner, at the end of the stream.
  std::string rest();
  /// The text inside the banners, and lines with a tag.
  const std::string& banners() const { return banners_; }
  /// Whether anything but banners was passed on.
  bool saidAnything() const { return said_anything_; }

 private:
  void takeLine(const std::string& line, std::string& out);

  bool in_banner_ = false;
  bool line_is_open_ = false;  // part of the current line has been passed on already
  bool said_anything_ = false;
  std::string held_;  // the current line while it may still become mpirun's
  std::string banners_;
};

}  // namespace fdg
