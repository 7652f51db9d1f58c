$samplefdo --version | sed "s/ [0-9].*/ N/"
$samplefdo --version >/dev/full
