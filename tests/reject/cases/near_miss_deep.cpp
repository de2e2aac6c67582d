// Deep nesting of loops and long chains of writes take no time.
#include <sstream>

struct Config {
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  int64_t x = 0;
  for (int64_t i0 = 0; i0 < 2; ++i0) {
    x += i0;
    for (int64_t i1 = 0; i1 < 2; ++i1) {
      x += i1;
      for (int64_t i2 = 0; i2 < 2; ++i2) {
        x += i2;
        for (int64_t i3 = 0; i3 < 2; ++i3) {
          x += i3;
          for (int64_t i4 = 0; i4 < 2; ++i4) {
            x += i4;
            for (int64_t i5 = 0; i5 < 2; ++i5) {
              x += i5;
              for (int64_t i6 = 0; i6 < 2; ++i6) {
                x += i6;
                for (int64_t i7 = 0; i7 < 2; ++i7) {
                  x += i7;
                  for (int64_t i8 = 0; i8 < 2; ++i8) {
                    x += i8;
                    for (int64_t i9 = 0; i9 < 2; ++i9) {
                      x += i9;
                      for (int64_t i10 = 0; i10 < 2; ++i10) {
                        x += i10;
                        for (int64_t i11 = 0; i11 < 2; ++i11) {
                          x += i11;
                          for (int64_t i12 = 0; i12 < 2; ++i12) {
                            x += i12;
                            for (int64_t i13 = 0; i13 < 2; ++i13) {
                              x += i13;
                              for (int64_t i14 = 0; i14 < 2; ++i14) {
                                x += i14;
                                for (int64_t i15 = 0; i15 < 2; ++i15) {
                                  x += i15;
                                  for (int64_t i16 = 0; i16 < 2; ++i16) {
                                    x += i16;
                                    for (int64_t i17 = 0; i17 < 2; ++i17) {
                                      x += i17;
                                      for (int64_t i18 = 0; i18 < 2; ++i18) {
                                        x += i18;
                                        for (int64_t i19 = 0; i19 < 2; ++i19) {
                                          x += i19;
                                          for (int64_t i20 = 0; i20 < 2; ++i20) {
                                            x += i20;
                                            for (int64_t i21 = 0; i21 < 2; ++i21) {
                                              x += i21;
                                              for (int64_t i22 = 0; i22 < 2; ++i22) {
                                                x += i22;
                                                for (int64_t i23 = 0; i23 < 2; ++i23) {
                                                  x += i23;
                                                }
                                              }
                                            }
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  std::ostringstream text;
  text << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x << x;
  ((((((((((((((((((((x += 0) += 1) += 2) += 3) += 4) += 5) += 6) += 7) += 8) += 9) += 10) += 11) += 12) += 13) += 14) += 15) += 16) += 17) += 18) += 19);
  actor.act(obs, x);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
