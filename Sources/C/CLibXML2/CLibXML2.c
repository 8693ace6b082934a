#include "CLibXML2.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/valid.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>
#include <stdlib.h>
#include <string.h>

#include "CDynamicLibrary.h"

// X(function of libxml2)
#define CLIBXML2_FUNCTIONS(X)                                                                      \
  X(xmlInitParser)                                                                                 \
  X(xmlSetExternalEntityLoader)                                                                    \
  X(xmlCreateIOParserCtxt)                                                                         \
  X(xmlFreeParserCtxt)                                                                             \
  X(xmlCtxtUseOptions)                                                                             \
  X(xmlSwitchEncoding)                                                                             \
  X(xmlParseDocument)                                                                              \
  X(xmlDictSize)                                                                                   \
  X(xmlFreeEnumeration)                                                                            \
  X(xmlFreeDoc)

#define CLIBXML2_MEMBER(name) __typeof__(name) *name;
#define CLIBXML2_SYMBOL(name) #name,

static struct {
  CLIBXML2_FUNCTIONS(CLIBXML2_MEMBER)
  const char *const *version;
} xml;

/// No external entity is ever loaded, from the disk or the net.
static xmlParserInputPtr load_nothing(const char *url, const char *id, xmlParserCtxtPtr context) {
  (void)url, (void)id, (void)context;
  return NULL;
}

static const char *start(void) {
  xml.xmlInitParser();
  xml.xmlSetExternalEntityLoader(load_nothing);
  return NULL;
}

// Its structs are those of the headers, so it has to be the library that belongs to them.
#if defined(__APPLE__)
CDYNAMIC_NAMES("required", "XML", "/usr/lib/libxml2.2.dylib")
#elif LIBXML_VERSION >= 21400
CDYNAMIC_NAMES("required", "XML", "libxml2.so.16")
#else
CDYNAMIC_NAMES("required", "XML", "libxml2.so.2")
#endif

CDYNAMIC_LIBRARY(clibxml2_load, xml, start, CLIBXML2_FUNCTIONS(CLIBXML2_SYMBOL) "xmlParserVersion",
                 NULL)

const char *clibxml2_version(void) {
  return *xml.version;
}

// MARK: - Parser

static xmlSAXHandler sax_handler(const struct clibxml2_handler *handler) {
  return (xmlSAXHandler){
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = handler->start_element,
    .endElementNs = handler->end_element,
    .characters = handler->characters,
    .ignorableWhitespace = handler->white_space,
    .cdataBlock = handler->cdata,
    .entityDecl = handler->entity,
    .attributeDecl = handler->attribute_list,
    .elementDecl = handler->element,
    .notationDecl = handler->notation,
    .unparsedEntityDecl = handler->unparsed_entity,
    // Constant since libxml2 2.12.
    .serror = (xmlStructuredErrorFunc)handler->error,
  };
}

/// A document in memory, as far as libxml2 has not read it: given out piece by piece, libxml2 makes
/// no copy of the whole.
struct source {
  const char *bytes;
  size_t left;
};

static int read_source(void *context, char *buffer, int size) {
  struct source *source = context;
  size_t count = source->left < (size_t)size ? source->left : (size_t)size;
  memcpy(buffer, source->bytes, count);
  source->bytes += count;
  source->left -= count;
  return (int)count;
}

static int close_source(void *context) {
  free(context);
  return 0;
}

CLibXML2Parser *clibxml2_open(const struct clibxml2_handler *handler, void *user,
                              const char *bytes, size_t size, unsigned int options) {
  struct source *source = malloc(sizeof *source);
  if (source == NULL) return NULL;
  *source = (struct source){bytes != NULL ? bytes : "", bytes != NULL ? size : 0};
  xmlSAXHandler sax = sax_handler(handler);
  // It closes the source, when there is no parser too.
  xmlParserCtxtPtr parser = xml.xmlCreateIOParserCtxt(&sax, user, read_source, close_source, source,
                                                      XML_CHAR_ENCODING_NONE);
  if (parser == NULL) return NULL;
  parser->_private = source;
  int flags = XML_PARSE_NONET;
  if (options & CLIBXML2_RECOVERING) flags |= XML_PARSE_RECOVER;
  if (options & CLIBXML2_UTF8) flags |= XML_PARSE_IGNORE_ENC;
  xml.xmlCtxtUseOptions(parser, flags);
  if (options & CLIBXML2_UTF8) xml.xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8);
  return parser;
}

void clibxml2_run(CLibXML2Parser *parser) {
  // It returns the first error ever, recovered or not: the callbacks know more.
  (void)xml.xmlParseDocument(parser);
}

void clibxml2_stop(CLibXML2Parser *parser) {
  ((struct source *)parser->_private)->left = 0;
}

void clibxml2_free(CLibXML2Parser *parser) {
  // For an entity's declaration libxml2 makes a document, and leaves it behind.
  xmlDocPtr document = parser->myDoc;
  parser->myDoc = NULL;
  xml.xmlFreeParserCtxt(parser);
  if (document != NULL) xml.xmlFreeDoc(document);
}

void clibxml2_forget_error(CLibXML2Parser *parser) {
  parser->wellFormed = 1;
}

int clibxml2_name_count(CLibXML2Parser *parser) {
  return xml.xmlDictSize(parser->dict);
}

void clibxml2_free_enumeration(struct _xmlEnumeration *values) {
  xml.xmlFreeEnumeration(values);
}

// MARK: - Errors

int clibxml2_error_line(const CLibXML2Error *error) {
  return error->line;
}

const char *clibxml2_error_message(const CLibXML2Error *error) {
  return error->message;
}

bool clibxml2_error_is_fatal(const CLibXML2Error *error) {
  // With an external document type, which is never loaded, an unknown entity is but a warning.
  return error->level == XML_ERR_FATAL || error->code == XML_WAR_UNDECLARED_ENTITY;
}

bool clibxml2_error_is_end(const CLibXML2Error *error) {
  switch (error->code) {
  case XML_ERR_DOCUMENT_END:
  case XML_ERR_TAG_NOT_FINISHED:
  case XML_ERR_CDATA_NOT_FINISHED: return true;
  default: return false;
  }
}
