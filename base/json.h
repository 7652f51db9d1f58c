/* json.h - texts in JSON. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdio.h>

/*
 * A string with its quotes.  Bytes that are no UTF-8, as names of files may
 * have, become U+FFFD.
 */
void json_text(const char *text, FILE *out);

#endif
