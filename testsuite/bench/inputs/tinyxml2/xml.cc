/*
 * xml.cc - a program of tinyxml2: reads a document as often as it is told,
 * looks at all of it, changes it, and writes it to memory.
 *
 *	program FILE TIMES
 */
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tinyxml2.h"

using namespace tinyxml2;

/* Names, texts and attributes of a whole document, as numbers. */
class Survey : public XMLVisitor
{
      public:
	unsigned elements = 0, attributes = 0, letters = 0, sum = 0;

	bool VisitEnter(const XMLElement &element,
			const XMLAttribute *first) override
	{
		elements++;
		add(element.Name());
		for (; first; first = first->Next()) {
			attributes++;
			add(first->Value());
		}
		return true;
	}

	bool Visit(const XMLText &text) override
	{
		add(text.Value());
		return true;
	}

      private:
	void add(const std::string &text)
	{
		letters += text.size();
		for (char c : text)
			sum = sum * 31 + (unsigned char)c;
	}
};

static int depth_of(const XMLElement *element)
{
	int most = 0;

	for (; element; element = element->NextSiblingElement()) {
		int depth = 1 + depth_of(element->FirstChildElement());

		most = depth > most ? depth : most;
	}
	return most;
}

static void number(XMLElement *element, int &next)
{
	for (; element; element = element->NextSiblingElement()) {
		element->SetAttribute("number", next++);
		number(element->FirstChildElement(), next);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	for (int i = atoi(argv[2]); i > 0; i--) {
		XMLDocument document;
		XMLPrinter printer(nullptr, i % 2);
		Survey survey;
		int next = 0;

		if (document.LoadFile(argv[1]) != XML_SUCCESS) {
			fprintf(stderr, "%s\n", document.ErrorStr());
			return 1;
		}
		document.Accept(&survey);
		number(document.RootElement(), next);
		document.Print(&printer);
		printf("%u %u %u %u %d %d %d\n", survey.elements,
		       survey.attributes, survey.letters, survey.sum,
		       depth_of(document.RootElement()), next,
		       printer.CStrSize());
	}
	return 0;
}
