$samplefdo show "$cases/data/small.txt"
$samplefdo show --summary - <"$cases/data/small.txt"
$samplefdo show --json "$cases/data/small.txt"
$samplefdo show --function helper "$cases/data/small.txt"
$samplefdo show --function nobody - <"$cases/data/small.txt"
sed 's,^binary app,binary \xc3\xbc\xe4,' "$cases/data/small.txt" >name.txt
$samplefdo show --json name.txt | grep -a build_id
