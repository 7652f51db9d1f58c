$samplefdo
$samplefdo covnert
