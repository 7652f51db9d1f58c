try() { $samplefdo annotate "$@"; echo "= $?"; }
: >plain
try
try -b app app.data --source=missing
try -b app app.data --source=. --source=plain
try -b app app.data --by=word
try -b app app.data --function=main --most=1
