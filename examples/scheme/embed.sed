# A text as a C string with the name prelude_text.
s/\\/\\\\/g
s/"/\\"/g
s/.*/"&\\n"/
1i const char prelude_text[] =
$a ;
