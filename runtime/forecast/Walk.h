// A scene, set going → when every actor ends its iterations. Third step of the forecast.
#pragma once

#include <queue>
#include <vector>

#include "runtime/forecast/Scene.h"

namespace fdg::forecast {

class Walk {
 public:
  Walk(const Manifest& manifest, const place::Placement& placement, const place::Cluster& cluster,
       const std::vector<Script>& scripts, Scene scene);

  /// Until every actor with whose loop the run ends has done so many iterations; false: nothing can
  /// move.
  bool run(int64_t iterations);

  const Scene& scene() const { return scene_; }
  double now() const { return now_; }
  /// Bytes of one message of a step.
  double bytesOf(const Channel& channel, const host::StepRecord& step) const;

 private:
  enum class What { computed, arrived, noticed, room };
  struct Event {
    double time = 0;
    int64_t number = 0;  // keeps the order of what happens at once
    What what = What::computed;
    int subject = 0;
    int64_t iteration = 0;
    bool operator>(const Event& other) const {
      return std::pair(time, number) > std::pair(other.time, other.number);
    }
  };
  struct Rank {
    bool is_busy = false;
    double idle_since = 0;
    std::queue<int> actors;  // that want to compute
  };
  struct Node {
    int cores = 1;
    bool may_spin = false;
    std::queue<int> ranks;
  };

  void at(double time, What what, int subject, int64_t iteration = 0);
  void handle(const Event& event);
  void go(int actor);
  bool doStep(int actor, const host::StepRecord& step);
  bool send(int actor, const host::StepRecord& step);
  bool receive(Actor& actor, int boundary);
  bool readNewest(Actor& actor, int boundary);
  bool mayBegin(const Actor& actor, int64_t iteration) const;
  void transmit(int channel, double bytes);
  void takeDrained(int channel);
  void notice(int channel, int64_t iteration);
  double nextLook(const Channel& channel) const;
  const place::Wire& wireOf(const Channel& channel) const;
  void compute(int actor, double seconds);
  void startNext(int rank);
  void occupyCore(int rank);
  const host::StepRecord* stepOf(const Actor& actor) const;
  place::Mode modeOf(int boundary) const;

  const Manifest& manifest_;
  const place::Placement& placement_;
  const place::Cluster& cluster_;
  const std::vector<Script>& scripts_;
  Scene scene_;
  std::vector<Rank> ranks_;
  std::vector<Node> nodes_;
  std::vector<double> rank_out_, rank_in_, node_out_, node_in_;  // when these wires are free
  std::vector<double> wanted_;                                   // seconds, by actor
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  int64_t numbers_ = 0;
  double now_ = 0;
};

}  // namespace fdg::forecast
