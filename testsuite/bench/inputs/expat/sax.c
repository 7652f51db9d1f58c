/*
 * sax.c - a program of expat: parses a document as often as it is told, in
 * pieces as a file is read, with and without namespaces, and counts what comes.
 *
 *	program FILE TIMES
 */
#include <stdio.h>
#include <stdlib.h>

#include <expat.h>

enum { PIECE = 4096 };

/* What a document has, as numbers. */
struct survey {
	unsigned elements, attributes, letters, others, depth, deepest, sum;
};

static void add(struct survey *survey, const XML_Char *text)
{
	for (; *text; text++)
		survey->sum = survey->sum * 31 + (unsigned char)*text;
}

static void begin(void *data, const XML_Char *name, const XML_Char **attributes)
{
	struct survey *survey = data;

	survey->elements++;
	if (++survey->depth > survey->deepest)
		survey->deepest = survey->depth;
	add(survey, name);
	for (; *attributes; attributes += 2) {
		survey->attributes++;
		add(survey, attributes[1]);
	}
}

static void end(void *data, const XML_Char *name)
{
	struct survey *survey = data;

	(void)name;
	survey->depth--;
}

static void text(void *data, const XML_Char *letters, int length)
{
	struct survey *survey = data;

	(void)letters;
	survey->letters += length;
}

static void comment(void *data, const XML_Char *text)
{
	struct survey *survey = data;

	survey->others++;
	add(survey, text);
}

static int parse(const char *document, size_t length, int namespaces,
		 struct survey *survey)
{
	XML_Parser parser = namespaces ? XML_ParserCreateNS(NULL, ' ')
				       : XML_ParserCreate(NULL);
	enum XML_Status status = XML_STATUS_OK;

	XML_SetHashSalt(parser, 1);
	XML_SetUserData(parser, survey);
	XML_SetElementHandler(parser, begin, end);
	XML_SetCharacterDataHandler(parser, text);
	XML_SetCommentHandler(parser, comment);
	for (size_t at = 0; at < length && status == XML_STATUS_OK;
	     at += PIECE) {
		size_t rest = length - at;

		status = XML_Parse(parser, document + at,
				   rest < PIECE ? rest : PIECE, rest <= PIECE);
	}
	if (status != XML_STATUS_OK)
		fprintf(stderr, "%s\n",
			XML_ErrorString(XML_GetErrorCode(parser)));
	XML_ParserFree(parser);
	return status == XML_STATUS_OK;
}

static char *read_file(const char *name, size_t *length)
{
	FILE *file = fopen(name, "rb");
	char *document = NULL;
	long end;

	if (file && !fseek(file, 0, SEEK_END) && (end = ftell(file)) > 0) {
		rewind(file);
		*length = end;
		document = malloc(end);
		if (document && fread(document, 1, end, file) != *length)
			document = NULL;
	}
	if (file)
		fclose(file);
	return document;
}

int main(int argc, char **argv)
{
	struct survey survey = { 0 };
	size_t length;
	char *document = argc == 3 ? read_file(argv[1], &length) : NULL;

	if (!document) {
		fprintf(stderr, "usage: program FILE TIMES\n");
		return 2;
	}
	for (int i = 0; i < atoi(argv[2]); i++)
		if (!parse(document, length, i % 2, &survey))
			return 1;
	printf("%u elements, %u attributes, %u letters, %u others, depth %u, "
	       "sum %u\n",
	       survey.elements, survey.attributes, survey.letters,
	       survey.others, survey.deepest, survey.sum);
	return 0;
}
