# What programs in Perl do all day, in small pieces.
#
#	tasks.pl train|ref ROUNDS
use strict;
use warnings;

# A generator of our own, the same everywhere.
my $state;

sub chance {
	my ($below) = @_;
	$state = ($state * 16807) % 2147483647;
	return $state % $below;
}

package Shape;

sub new {
	my ($class, %fields) = @_;
	return bless {%fields}, $class;
}

sub area { return 0 }

sub name { my ($self) = @_; return $self->{name} }

package Circle;
our @ISA = ('Shape');

sub area { my ($self) = @_; return 3 * $self->{radius} ** 2 }

package Box;
our @ISA = ('Shape');

sub area { my ($self) = @_; return $self->{width} * $self->{height} }

package main;

# Objects, methods that are inherited, and hashes as what they are made of.
sub shapes {
	my ($n) = @_;
	my (%total, @all);
	for my $i (1 .. $n) {
		push @all, $i % 3
			? Box->new(name => "box" . $i % 5, width => $i % 7, height => 2)
			: Circle->new(name => "circle", radius => $i % 11);
	}
	$total{$_->name} += $_->area for @all;
	return join ",", map { "$_=$total{$_}" } sort keys %total;
}

# Words of a text, counted in a hash and sorted by two keys.
sub words {
	my ($n) = @_;
	my %count;
	for (1 .. $n) {
		my $line = join " ", map {
			join "", map { chr 97 + chance(5) } 0 .. chance(3)
		} 1 .. 6;
		$count{$_}++ for split / /, $line;
	}
	my @most = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
	return join ",", map { "$_:$count{$_}" } @most[0 .. 4];
}

# A log taken apart by an expression with groups.
sub log_lines {
	my ($n) = @_;
	my (%bytes, $errors);
	my @hosts = ("alpha.example", "beta.example", "gamma.test");
	for my $i (1 .. $n) {
		my $line = sprintf '%s - - [%02d/Mar/2023:%02d:00] "GET /p%d/x.html" %d %d',
			$hosts[chance(3)], 1 + $i % 28, $i % 24, chance(40),
			chance(9) ? 200 : 404, chance(5000);
		if ($line =~ m{^(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) ([^"]*)" (\d+) (\d+)$}) {
			my ($host, $path, $status, $size) = ($1, $4, $5, $6);
			$errors++ if $status >= 400;
			(my $folder = $path) =~ s{/[^/]*$}{};
			$bytes{$host . $folder} += $size;
		}
	}
	return $errors . " " . keys(%bytes) . " " . ($bytes{"beta.example/p7"} // 0);
}

# Text rewritten: alternatives, repetitions, replacements that are code.
sub rewritten {
	my ($n) = @_;
	my $text = join " ", map { (qw(foo bar bazqux))[chance(3)] . "=$_;" } 1 .. $n;
	my $changes = ($text =~ s/(foo|baz\w+)=(\d+);/"<$1:" . ($2 + 1) . ">"/ge);
	my $vowels = ($text =~ tr/aeiou//);
	$text =~ s/\bbar\b/BAR/gi;
	my $digits = () = $text =~ /\d{2,}?/g;
	return "$changes $vowels $digits " . length $text;
}

# Numbers sorted, chosen and added up.
sub numbers {
	my ($n) = @_;
	my @list = map { chance(100000) } 1 .. $n;
	my @sorted = sort { $a <=> $b } @list;
	my @even = grep { !($_ & 1) } @sorted;
	my $sum = 0;
	$sum += $_ * 0.5 for @even;
	my @back = reverse @sorted;
	return "$sorted[0] $back[0] $sum " . scalar @even;
}

# Closures, and functions that are kept in a table.
sub closures {
	my ($n) = @_;
	my @counters = map {
		my $step = $_;
		my $value = 0;
		sub { $value += $step * (shift // 1); return $value }
	} 1 .. 5;
	my %operation = (
		add => sub { $_[0] + $_[1] },
		subtract => sub { $_[0] - $_[1] },
		larger => sub { $_[0] > $_[1] ? $_[0] : $_[1] },
	);
	my ($last, @names) = (0, sort keys %operation);
	for my $i (0 .. $n) {
		$last = $operation{$names[$i % 3]}->($last, $counters[$i % 5]->($i % 4));
	}
	return $last;
}

sub fibonacci {
	my ($n) = @_;
	return $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2);
}

# A binary tree of arrays.
sub insert {
	my ($node, $key) = @_;
	return [$key, undef, undef] unless $node;
	my $side = $key < $node->[0] ? 1 : 2;
	$node->[$side] = insert($node->[$side], $key) if $key != $node->[0];
	return $node;
}

sub depth {
	my ($node) = @_;
	return 0 unless $node;
	my ($left, $right) = (depth($node->[1]), depth($node->[2]));
	return 1 + ($left > $right ? $left : $right);
}

sub tree {
	my ($n) = @_;
	my $root;
	$root = insert($root, chance(10 * $n)) for 1 .. $n;
	return depth($root);
}

# Strings built and taken apart by place.
sub strings {
	my ($n) = @_;
	my ($text, $sum) = ("", 0);
	for my $i (1 .. $n) {
		$text .= sprintf "%05d|%8.2f|%s\n", $i, $i * 1.5, "x" x ($i % 5);
		$sum += ord substr $text, -1 - $i % 9, 1;
	}
	my $at = 0;
	$sum++ while ($at = index $text, "|xx", $at + 1) > 0;
	for (split /\n/, $text) {
		my ($number, $value, $rest) = split /\|/;
		$sum += $number + length(uc $rest) + lc($value);
	}
	return $sum;
}

sub sieve {
	my ($n) = @_;
	my @composite;
	my $count = 0;
	for (my $i = 2; $i < $n; $i++) {
		next if $composite[$i];
		$count++;
		for (my $j = $i * $i; $j < $n; $j += $i) {
			$composite[$j] = 1;
		}
	}
	return $count;
}

# Of ref alone: what training has not seen.
sub records {
	my ($n) = @_;
	my $packed = join "", map { pack "nCa6", $_, $_ % 200, "n$_" } 1 .. $n;
	my $sum = 0;
	while (length $packed) {
		my ($id, $kind, $name) = unpack "nCa6", substr $packed, 0, 9, "";
		$sum += $id * $kind + length $name;
	}
	return $sum;
}

sub exceptions {
	my ($n) = @_;
	my $total = 0;
	for my $i (1 .. $n) {
		eval { die {code => $i} if $i % 3 == 0; $total += 2; 1 }
			or $total -= $@->{code} % 5;
		local $_ = $i;
		$total++ if wantarray;
	}
	return $total;
}

sub matrix {
	my ($n) = @_;
	my @a = map { my $i = $_; [map { $i * $_ % 7 } 1 .. $n] } 1 .. $n;
	my @product;
	for my $i (0 .. $n - 1) {
		for my $j (0 .. $n - 1) {
			my $sum = 0;
			$sum += $a[$i][$_] * $a[$_][$j] for 0 .. $n - 1;
			$product[$i][$j] = $sum;
		}
	}
	return $product[1][2] + $product[$n - 1][0];
}

my ($input, $rounds) = @ARGV;
my %tasks = (
	train => [[\&shapes, 900], [\&words, 250], [\&log_lines, 500],
		[\&rewritten, 900], [\&numbers, 2500], [\&closures, 4000],
		[\&fibonacci, 12], [\&tree, 350], [\&strings, 900], [\&sieve, 4000]],
	ref => [[\&records, 1200], [\&shapes, 600], [\&words, 300],
		[\&log_lines, 300], [\&rewritten, 1200], [\&numbers, 1500],
		[\&exceptions, 2000], [\&fibonacci, 11], [\&tree, 500],
		[\&strings, 600], [\&matrix, 17]],
);
$state = $input eq "train" ? 7 : 99;
for (1 .. $rounds) {
	for (@{$tasks{$input}}) {
		my ($task, @arguments) = @$_;
		print $task->(@arguments), "\n";
	}
}
