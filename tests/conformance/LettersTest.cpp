// Letters: in order per sender, of any length, also to oneself.
#include <dlfcn.h>

#include <map>

#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

std::string letterText(int from, int number, size_t size) {
  std::string text = std::to_string(from) + " " + std::to_string(number) + " ";
  text.resize(std::max(size, text.size()), static_cast<char>('a' + number % 26));
  return text;
}

void everyoneWritesToEveryone(int count, const std::function<size_t(int)>& size) {
  Transport& transport = rig().transport();
  for (int number = 0; number < count; ++number) {
    for (int to = 0; to < rig().size(); ++to) {
      transport.post(to, letterText(rig().rank(), number, size(number)));
    }
  }
  std::map<int, int> next;
  int here = 0;
  rig().run({[&] {
    while (const auto letter = rig().takeLetter()) {
      const int number = next[letter->from]++;
      EXPECT_EQ(letter->text, letterText(letter->from, number, size(number)));
      ++here;
    }
    return here == count * rig().size();
  }});
  rig().meet();
}

RANKS_TEST(Letters, KeepTheirOrder) {
  everyoneWritesToEveryone(1000, [](int) { return size_t{20}; });
}
RANKS_TEST(Letters, OfAnyLength) {
  everyoneWritesToEveryone(12, [](int number) { return size_t{1} << (2 * number); });
}
/// Whether Open MPI gives the core away when it finds nothing is changed only while we ask.
RANKS_TEST(Letters, LeaveMpiAsItWas) {
  if (rig().carrier() == "queue") {
    return;  // no MPI, and one switch for all threads
  }
  const auto set_yields =
      reinterpret_cast<bool (*)(bool)>(::dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle"));
  for (const bool yields : {true, false}) {
    const bool before = set_yields != nullptr && set_yields(yields);
    everyoneWritesToEveryone(3, [](int) { return size_t{20}; });
    if (set_yields != nullptr) {
      EXPECT_EQ(set_yields(before), yields);
    }
  }
}
RANKS_TEST(Letters, Empty) {
  rig().transport().post(rig().last(), "");
  int here = 0;
  rig().run({[&] {
    while (const auto letter = rig().takeLetter()) {
      EXPECT_EQ(letter->text, "");
      ++here;
    }
    return here == (rig().rank() == rig().last() ? rig().size() : 0);
  }});
  rig().meet();
}

}  // namespace
}  // namespace fdg::transport
