#include "algorithms/envs/box2d/LanderWorld.h"

#include <box2d/box2d.h>

#include <utility>

namespace fdg::rl {
namespace {

constexpr double kScale = LanderWorld::kScale;
constexpr int kChunks = 11;
constexpr float kGravity = -10.0F;
constexpr double kLegAway = 20 / kScale, kLegDown = 18 / kScale;
constexpr uint16_t kGround = 0x0001, kLanderBit = 0x0010, kLegBit = 0x0020;
/// Sides of the legs as in Gymnasium: the first is −1.
constexpr std::array<int, 2> kSides = {-1, 1};

b2Vec2 vector(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

void addGround(b2World& world, const LanderStart& start) {
  std::array<double, kChunks + 1> height = start.heights;
  for (int i = kChunks / 2 - 2; i <= kChunks / 2 + 2; ++i) {
    height[static_cast<size_t>(i)] = LanderWorld::kPadHeight;
  }
  std::array<b2Vec2, kChunks> points;
  for (size_t i = 0; i < kChunks; ++i) {
    const double before = height[i == 0 ? kChunks : i - 1];  // Python's height[-1]
    points[i] = vector(LanderWorld::kWidth / (kChunks - 1) * static_cast<double>(i),
                       0.33 * (before + height[i] + height[i + 1]));
  }
  const b2BodyDef at_origin;
  b2Body* moon = world.CreateBody(&at_origin);
  b2EdgeShape edge;
  edge.SetTwoSided({0, 0}, vector(LanderWorld::kWidth, 0));
  moon->CreateFixture(&edge, 0);
  for (size_t i = 0; i + 1 < kChunks; ++i) {
    edge.SetTwoSided(points[i], points[i + 1]);
    b2FixtureDef fixture;
    fixture.shape = &edge;
    fixture.friction = 0.1F;
    moon->CreateFixture(&fixture);
  }
}

b2Body* addBody(b2World& world, b2Vec2 place, float angle, b2FixtureDef fixture) {
  b2BodyDef body;
  body.type = b2_dynamicBody;
  body.position = place;
  body.angle = angle;
  b2Body* made = world.CreateBody(&body);
  fixture.filter.maskBits = kGround;
  made->CreateFixture(&fixture);
  return made;
}

b2Body* addLander(b2World& world) {
  constexpr std::array<std::pair<int, int>, 6> kOutline = {
      {{-14, 17}, {-17, 0}, {-17, -10}, {17, -10}, {17, 0}, {14, 17}}};
  std::array<b2Vec2, kOutline.size()> points;
  for (size_t i = 0; i < points.size(); ++i) {
    points[i] = vector(kOutline[i].first / kScale, kOutline[i].second / kScale);
  }
  b2PolygonShape hull;
  hull.Set(points.data(), static_cast<int32>(points.size()));
  b2FixtureDef fixture;
  fixture.shape = &hull;
  fixture.density = 5.0F;
  fixture.friction = 0.1F;
  fixture.filter.categoryBits = kLanderBit;
  return addBody(world, vector(LanderWorld::kWidth / 2, LanderWorld::kHeight), 0, fixture);
}

b2Body* addLeg(b2World& world, b2Body* lander, int side) {
  b2PolygonShape box;
  box.SetAsBox(static_cast<float>(2 / kScale), static_cast<float>(8 / kScale));
  b2FixtureDef fixture;
  fixture.shape = &box;
  fixture.density = 1.0F;
  fixture.filter.categoryBits = kLegBit;
  const auto angle = static_cast<float>(side * 0.05);
  b2Body* leg =
      addBody(world, vector(LanderWorld::kWidth / 2 - side * kLegAway, LanderWorld::kHeight), angle,
              fixture);
  b2RevoluteJointDef joint;
  joint.bodyA = lander;
  joint.bodyB = leg;
  joint.localAnchorB = vector(side * kLegAway, kLegDown);
  joint.referenceAngle = angle;
  joint.enableMotor = true;
  joint.enableLimit = true;
  joint.maxMotorTorque = 40;
  joint.motorSpeed = static_cast<float>(0.3 * side);
  joint.lowerAngle = static_cast<float>(side < 0 ? 0.9 - 0.5 : -0.9);
  joint.upperAngle = static_cast<float>(side < 0 ? 0.9 : -0.9 + 0.5);
  world.CreateJoint(&joint);
  return leg;
}

}  // namespace

struct LanderWorld::Bodies final : b2ContactListener {
  b2World world{{0, kGravity}};
  b2Body* lander = nullptr;
  std::array<b2Body*, 2> legs{};
  std::array<bool, 2> touches{};
  bool crashed = false;

  void BeginContact(b2Contact* contact) override { see(*contact, true); }
  void EndContact(b2Contact* contact) override { see(*contact, false); }

 private:
  void see(b2Contact& contact, bool begins) {
    const auto has = [&](const b2Body* body) {
      return contact.GetFixtureA()->GetBody() == body || contact.GetFixtureB()->GetBody() == body;
    };
    crashed = crashed || (begins && has(lander));
    for (size_t i = 0; i < legs.size(); ++i) {
      touches[i] = has(legs[i]) ? begins : touches[i];
    }
  }
};

LanderWorld::LanderWorld(const LanderStart& start) : bodies_(std::make_unique<Bodies>()) {
  Bodies& b = *bodies_;
  b.world.SetContactListener(&b);
  addGround(b.world, start);
  b.lander = addLander(b.world);
  b.lander->ApplyForceToCenter(vector(start.force_x, start.force_y), true);
  for (size_t i = 0; i < kSides.size(); ++i) {
    b.legs[i] = addLeg(b.world, b.lander, kSides[i]);
  }
}

LanderWorld::~LanderWorld() = default;

void LanderWorld::push(double impulse_x, double impulse_y, double x, double y) {
  bodies_->lander->ApplyLinearImpulse(vector(impulse_x, impulse_y), vector(x, y), true);
}

void LanderWorld::step() {
  constexpr int32 kVelocityRounds = 180, kPositionRounds = 60;
  bodies_->world.Step(static_cast<float>(1.0 / 50), kVelocityRounds, kPositionRounds);
}

Flight LanderWorld::flight() const {
  const Bodies& b = *bodies_;
  return {.x = b.lander->GetPosition().x,
          .y = b.lander->GetPosition().y,
          .angle = b.lander->GetAngle(),
          .velocity_x = b.lander->GetLinearVelocity().x,
          .velocity_y = b.lander->GetLinearVelocity().y,
          .turning = b.lander->GetAngularVelocity(),
          .left_touches = b.touches[0],
          .right_touches = b.touches[1],
          .crashed = b.crashed,
          .asleep = !b.lander->IsAwake()};
}

}  // namespace fdg::rl
