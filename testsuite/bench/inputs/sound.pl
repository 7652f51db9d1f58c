# Sound of two channels, 44100 samples a second of 16 bits, so many seconds: tones
# that follow each other, or chords in noise.
use strict;
use warnings;

my ($kind, $seconds) = @ARGV;
my $seed = 1;

sub noise {
	$seed = $seed * 16807 % 2147483647;
	return $seed / 1073741823.5 - 1;
}

binmode STDOUT;
my $filtered = 0;
for my $i (0 .. 44100 * $seconds - 1) {
	my $t = $i / 44100;
	my ($left, $right);
	if ($kind eq "tones") {
		my $f = 220 * 2 ** (int($t * 4) * 7 % 24 / 12);
		my $fade = exp(-3 * ($t * 4 - int($t * 4)));
		$left = .5 * $fade * sin(6.2831853 * $f * $t);
		$right = .3 * $fade * sin(12.5663706 * $f * $t);
	} else {
		$filtered = .9 * $filtered + .1 * noise();
		$left = $filtered + .1 * noise();
		$right = $filtered;
		for my $step (0, 4, 7) {
			my $f = 110 * 2 ** (($step + int($t)) / 12);
			my $phase = $f * $t - int($f * $t);
			$left += .1 * (2 * $phase - 1);
			$right += .1 * ($phase < .3 ? 1 : -1);
		}
	}
	print pack("s<2", map { int(20000 * ($_ > 1 ? 1 : $_ < -1 ? -1 : $_)) }
		$left, $right);
}
