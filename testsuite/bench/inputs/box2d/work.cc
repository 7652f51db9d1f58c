/*
 * Worlds that are stepped through: boxes that fall on a pyramid, or polygons
 * that are thrown among chains which hang and turn.
 *
 *	work train|ref ROUNDS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "box2d/box2d.h"

static unsigned state = 1;

static float chance(float below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16 & 0xfff) * below / 4096;
}

static b2Body *add(b2World *world, const b2Shape &shape, b2BodyType type, float x,
		   float y)
{
	b2BodyDef def;

	def.type = type;
	def.position.Set(x, y);
	b2Body *ret = world->CreateBody(&def);
	ret->CreateFixture(&shape, 2);
	return ret;
}

static b2Body *add_ground(b2World *world)
{
	b2EdgeShape ground;

	ground.SetTwoSided(b2Vec2(-60, 0), b2Vec2(60, 0));
	return add(world, ground, b2_staticBody, 0, 0);
}

static void pyramid(b2World *world)
{
	b2PolygonShape box;

	add_ground(world);
	box.SetAsBox(.5f, .5f);
	for (int row = 0; row < 16; row++)
		for (int i = row; i < 16; i++)
			add(world, box, b2_dynamicBody, i * 1.1f - row * .55f - 8,
			    .6f + row * 1.05f);
}

static void chain(b2World *world, b2Body *from, float x)
{
	b2PolygonShape link;
	b2RevoluteJointDef joint;

	link.SetAsBox(.6f, .125f);
	for (int i = 0; i < 12; i++) {
		b2Body *next = add(world, link, b2_dynamicBody, x + i + .5f, 20);

		joint.Initialize(from, next, b2Vec2(x + i, 20));
		world->CreateJoint(&joint);
		from = next;
	}
}

static void chains(b2World *world)
{
	b2Body *ground = add_ground(world);

	for (int i = 0; i < 4; i++)
		chain(world, ground, i * 12 - 24);
}

static void throw_one(b2World *world)
{
	b2PolygonShape polygon;
	b2CircleShape circle;
	b2Vec2 points[6];
	b2Body *body;

	for (int i = 0; i < 6; i++)
		points[i].Set(chance(1.5f) - .75f, chance(1.5f) - .75f);
	polygon.SetAsBox(.4f, .7f);
	if (chance(2) < 1)
		polygon.Set(points, 6);
	circle.m_radius = .3f + chance(.5f);
	if (chance(3) < 1)
		body = add(world, circle, b2_dynamicBody, chance(40) - 20, 30);
	else
		body = add(world, polygon, b2_dynamicBody, chance(40) - 20, 30);
	body->SetLinearVelocity(b2Vec2(chance(20) - 10, -chance(20)));
	body->SetBullet(chance(4) < 1);
}

int main(int argc, char **argv)
{
	bool train = argc == 3 && strcmp(argv[1], "train") == 0;
	int rounds = argc == 3 ? atoi(argv[2]) : 0;
	b2World world(b2Vec2(0, -10));
	double sum = 0;

	if (rounds < 1 || (!train && strcmp(argv[1], "ref") != 0)) {
		fprintf(stderr, "usage: work train|ref ROUNDS\n");
		return 2;
	}
	world.SetAllowSleeping(false);
	if (train)
		pyramid(&world);
	else
		chains(&world);
	for (int i = 0; i < rounds; i++) {
		if (!train && i % 20 == 0)
			throw_one(&world);
		world.Step(1.f / 60, 8, 3);
		if (train && i % 100 == 99)
			throw_one(&world);
	}
	for (const b2Body *b = world.GetBodyList(); b; b = b->GetNext())
		sum += b->GetPosition().x + 3 * b->GetPosition().y;
	printf("%d bodies, %.6f\n", world.GetBodyCount(), sum);
	return 0;
}
