# When functions were first used: to the binary form and back, and the least one
# of a sum.  Without any, nothing has changed.
cat >one.txt <<'END'
samplefdo profile 3
event cycles role cycles period 1000 samples 900 mapped 900
function early file a.c line 3 total 10 entry 1 samples 5 first-use 1500
 at 1:2 count 10
function late file a.c line 9 total 10 entry 1 samples 5 first-use 1152921504606846976
 at 1:2 count 10
function never file a.c line 20
unsampled 00000001 in 00000002 line 3 lines 4 samples 900
END
sed -e 's/use 1500$/use 1600/' -e 's/use 1152.*/use 7/' \
	-e '/^unsampled/d' one.txt >two.txt
for profile in one two; do
	$samplefdo merge $profile.txt -o $profile.afdo
	$samplefdo merge --text $profile.afdo -o $profile.text
	$samplefdo merge $profile.text -o again.afdo &&
		cmp $profile.afdo again.afdo && echo "$profile is the same"
	od -An -tu1 -j8 -N1 $profile.afdo
done
cat two.text
$samplefdo merge one.afdo:3 two.afdo --text -o sum.text
$samplefdo merge two.txt one.txt:3 --text -o - | cmp - sum.text &&
	grep '^function' sum.text
for order in 'one.afdo:3 two.afdo' 'two.txt one.txt:3'; do
	$samplefdo merge $order -o sum.afdo && $samplefdo show sum.afdo |
		cmp - sum.text && echo "the sum of files is the same"
done
$samplefdo show --summary one.afdo | grep '^functions'
$samplefdo show --json two.txt | grep first_use
$samplefdo show --function late one.afdo
echo "Without:"
for profile in one two; do
	sed -e 's/ first-use [0-9]*//' $profile.txt >$profile.none
	$samplefdo merge $profile.none -o none.afdo
	od -An -tu1 -j8 -N1 none.afdo
	$samplefdo show none.afdo | head -n 1
done
echo "Damage:"
for use in -1 '' 1152921504606846977 '5 first-use 5'; do
	sed "s/first-use 1500/first-use $use/" one.txt >bad.txt
	$samplefdo show bad.txt
done
sed 's/profile 3/profile 4/' one.txt >bad.txt
$samplefdo show bad.txt
printf '\4' | dd of=one.afdo bs=1 seek=8 conv=notrunc status=none
$samplefdo show one.afdo
