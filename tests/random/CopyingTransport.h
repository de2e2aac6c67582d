// A transport within one process over which everything arrives as a copy, as it does between processes: fragments that
// would see each other's writes through a handle do not.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "runtime/transport/Packing.h"
#include "runtime/transport/Transport.h"

namespace random_programs {

namespace transport = fdg::transport;

class CopyingSender final : public transport::Sender {
 public:
  explicit CopyingSender(std::unique_ptr<transport::Sender> to) : to_(std::move(to)) {}
  bool passesValues() const override { return false; }
  bool trySend(transport::Message& message) override {
    transport::Image image;
    image.lay(message);
    transport::Buffer buffer(image.size());
    image.copy(buffer.data(), 0, image.size());
    transport::Message copy;
    transport::readImage(buffer.bytes(), nullptr, copy);
    return to_->trySend(copy);
  }
  void close() override { to_->close(); }
  bool consumerClosed() const override { return to_->consumerClosed(); }

 private:
  std::unique_ptr<transport::Sender> to_;
};

class CopyingTransport final : public transport::Transport {
 public:
  int rank() const override { return local_->rank(); }
  int size() const override { return local_->size(); }
  std::vector<int> leaders() const override { return local_->leaders(); }
  std::unique_ptr<transport::Sender> openSender(const transport::ChannelSpec& spec) override {
    return std::make_unique<CopyingSender>(local_->openSender(spec));
  }
  std::unique_ptr<transport::Receiver> openReceiver(const transport::ChannelSpec& spec) override {
    return local_->openReceiver(spec);
  }
  void connect() override { local_->connect(); }
  bool progress() override { return local_->progress(); }
  void waitForActivity(std::chrono::microseconds most) override { local_->waitForActivity(most); }
  void post(int to, std::string text) override { local_->post(to, std::move(text)); }
  std::optional<transport::Letter> takeLetter() override { return local_->takeLetter(); }
  void onDeath(std::function<void(int)> f) override { local_->onDeath(std::move(f)); }
  std::string nameOf(int rank) const override { return local_->nameOf(rank); }
  void finish() override { local_->finish(); }
  [[noreturn]] void abort(int code) override { local_->abort(code); }

 private:
  std::unique_ptr<Transport> local_ = transport::makeLocalTransport();
};

}  // namespace random_programs
