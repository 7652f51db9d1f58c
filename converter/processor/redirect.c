#include "converter/processor/redirect.h"

double redirect_share(const struct redirect_place *places, uint32_t n,
		      double expected)
{
	enum { ROUNDS = 15 };
	double share = 1, base = 0, redirected = 0, samples = 0;

	for (uint32_t i = 0; i < n; i++) {
		base += places[i].base;
		redirected += places[i].redirected;
		samples += places[i].samples;
	}
	for (unsigned round = 0; round < ROUNDS; round++) {
		double count = samples / (base + share * redirected);
		double of_them = 0;

		for (uint32_t i = 0; i < n; i++) {
			double part = share * places[i].redirected;

			of_them += places[i].samples * part /
				   (places[i].base + part);
		}
		share = (of_them + expected) / (count * redirected + expected);
	}
	return share;
}
