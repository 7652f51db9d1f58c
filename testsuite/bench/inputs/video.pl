# So many pictures of a width and height, as raw video (I420): a bright square that
# moves over a texture, which is turned to its negative after two thirds, and noise.
use strict;
use warnings;

my ($width, $height, $pictures) = @ARGV;
my $seed = 1;

sub random {
	$seed = $seed * 16807 % 2147483647;
	return $seed % $_[0];
}

sub byte {
	my $value = int(shift);
	return $value < 0 ? 0 : $value > 255 ? 255 : $value;
}

my @texture;
for my $y (0 .. 2 * $height - 1) {
	$texture[$y] = pack 'C*', map {
		byte(90 + 40 * sin($_ / 7 + 1) * cos($y / 5) + random(30))
	} 0 .. 2 * $width - 1;
}
binmode STDOUT;
for my $n (0 .. $pictures - 1) {
	my $left = int($width / 2 + $width / 3 * sin($n / 9 + 1));
	my $top = int($height / 2 + $height / 3 * cos($n / 13));
	my ($x, $from) = ($n * 5 % ($width - 40), $n * 3 % ($height - 40));

	@texture = map { ~$_ } @texture if $n == int($pictures * 2 / 3);
	for my $y (0 .. $height - 1) {
		my $row = substr $texture[$y + $top], $left, $width;

		substr($row, $x, 40) = chr((200 + $y) % 256) x 40
			if $y >= $from && $y < $from + 40;
		substr($row, random($width), 1) = chr random(256) for 1 .. 12;
		print $row;
	}
	print pack 'C*', map { byte(128 + 50 * sin($n / 5 + $_ / 900)) }
		0 .. $width * $height / 4 - 1;
	print pack 'C*', map { byte(128 + 30 * cos($n / 7 + $_ / 500)) }
		0 .. $width * $height / 4 - 1;
}
