#include "runtime/place/Assign.h"

#include <algorithm>

#include "base/NearestName.h"
#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool answersTo(const FragmentInfo& fragment, const std::string& name) {
  return fragment.name == name || contains(fragment.roles, name) ||
         contains(fragment.components, name);
}

std::vector<std::string> namesOf(const Manifest& plan) {
  std::vector<std::string> names = {"rest"};
  const auto add = [&](const std::string& name) {
    if (!contains(names, name)) {
      names.push_back(name);
    }
  };
  for (const auto& fragment : plan.fragments) {
    std::ranges::for_each(fragment.roles, add);
    add(fragment.name);
  }
  for (const auto& fragment : plan.fragments) {
    std::ranges::for_each(fragment.components, add);
  }
  return names;
}

/// Who owns a fragment, and by which of the policy's words.
struct Owner {
  int group = -1;
  std::string name;
};

bool takesRest(const Group& group) { return group.fragments == std::vector<std::string>{"rest"}; }

class Assignment {
 public:
  Assignment(const Manifest& plan, const Policy& policy)
      : plan_(plan), policy_(policy), owners_(plan.fragments.size()) {}

  Result<std::vector<std::vector<int>>> run() {
    for (size_t g = 0; g < policy_.groups.size() && error_.empty(); ++g) {
      if (!takesRest(policy_.groups[g])) {
        takeNamed(static_cast<int>(g));
      }
    }
    for (size_t g = 0; g < policy_.groups.size() && error_.empty(); ++g) {
      if (takesRest(policy_.groups[g])) {
        takeRest(static_cast<int>(g));
      }
    }
    if (error_.empty()) {
      checkAllOwned();
    }
    if (!error_.empty()) {
      return Error{error_};
    }
    return collect();
  }

 private:
  void refuse(const Group& group, const std::string& sentence) {
    error_ = atMark(policy_.file, group.mark, sentence);
  }

  void takeNamed(int index) {
    const Group& group = policy_.groups[static_cast<size_t>(index)];
    bool any = false;
    for (const std::string& name : group.fragments) {
      bool found = false;
      for (const auto& fragment : plan_.fragments) {
        if (answersTo(fragment, name)) {
          found = true;
          const bool is_another = name != fragment.name && isFragment(name);
          if (is_another && namedElsewhere(index, fragment.name)) {
            continue;  // "learner" is a fragment, and this one, learner2, has a group of its own
          }
          take(index, fragment, name);
        }
      }
      any = any || found;
      if (!found && !group.optional) {
        return refuse(group, "group " + group.name + " names \"" + name + "\", which " +
                                 plan_.program + " does not have" +
                                 didYouMean(name, namesOf(plan_)) + " (it has " +
                                 listNames(namesOf(plan_)) +
                                 "). Where a plan may lack it, say optional: true in the group");
      }
      if (!error_.empty()) {
        return;
      }
    }
  }

  bool isFragment(const std::string& name) const {
    return std::ranges::count(plan_.fragments, name, &FragmentInfo::name) > 0;
  }

  bool namedElsewhere(int index, const std::string& fragment) const {
    for (size_t g = 0; g < policy_.groups.size(); ++g) {
      if (static_cast<int>(g) != index &&
          std::ranges::count(policy_.groups[g].fragments, fragment) > 0) {
        return true;
      }
    }
    return false;
  }

  void take(int index, const FragmentInfo& fragment, const std::string& name) {
    Owner& owner = owners_[static_cast<size_t>(fragment.id)];
    const Group& group = policy_.groups[static_cast<size_t>(index)];
    if (owner.group >= 0 && owner.group != index) {
      const Group& other = policy_.groups[static_cast<size_t>(owner.group)];
      const bool joined =
          owner.name != name && owner.name != fragment.name && name != fragment.name;
      return refuse(
          group, joined ? "the policy puts " + owner.name + " into group " + other.name + " and " +
                              name + " into group " + group.name + ", but in " + plan_.program +
                              " both are one fragment, \"" + fragment.name +
                              "\": no annotation separates them. Put both into one group, or "
                              "annotate what crosses (fdgc -Rfdg shows what joins them)"
                        : "fragment " + fragment.name + " belongs to group " + other.name +
                              " (as \"" + owner.name + "\") and to group " + group.name +
                              " (as \"" + name + "\"); a fragment has one group");
    }
    if (owner.group < 0) {
      owner = {index, name};
    }
  }

  void takeRest(int index) {
    const Group& group = policy_.groups[static_cast<size_t>(index)];
    bool any = false;
    for (Owner& owner : owners_) {
      if (owner.group < 0) {
        owner = {index, "rest"};
        any = true;
      }
    }
    if (!any && !group.optional) {
      refuse(group,
             "group " + group.name + " takes the rest of " + plan_.program +
                 ", but the other groups own every fragment already; leave the group out, or say "
                 "optional: true");
    }
  }

  void checkAllOwned() {
    std::vector<std::string> free;
    for (const auto& fragment : plan_.fragments) {
      if (owners_[static_cast<size_t>(fragment.id)].group < 0) {
        free.push_back(fragment.name);
      }
    }
    if (!free.empty()) {
      error_ = policy_.file + ": " + (free.size() == 1 ? "fragment " : "fragments ") +
               listNames(free) + " of " + plan_.program +
               (free.size() == 1 ? " belongs" : " belong") + " to no group; name " +
               (free.size() == 1 ? "it" : "them") + " in one, or add a group with fragments: rest";
    }
  }

  std::vector<std::vector<int>> collect() const {
    std::vector<std::vector<int>> groups(policy_.groups.size());
    for (size_t f = 0; f < owners_.size(); ++f) {
      groups[static_cast<size_t>(owners_[f].group)].push_back(static_cast<int>(f));
    }
    return groups;
  }

  const Manifest& plan_;
  const Policy& policy_;
  std::vector<Owner> owners_;
  std::string error_;
};

}  // namespace

Result<std::vector<std::vector<int>>> assignFragments(const Manifest& plan, const Policy& policy) {
  return Assignment(plan, policy).run();
}

}  // namespace fdg::place
