// The part of libxml2 that `news` uses: its SAX2 parser, loaded on first use.
//
// Linking libxml2 costs every command a good part of its start, because Debian's brings ICU and the
// C++ library; most commands parse nothing. libxml2's own headers are included where this is
// implemented, so that the compiler checks each declaration here against them.

#ifndef NEWS_CLIBXML2_H
#define NEWS_CLIBXML2_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

// libxml2's own structs, opaque here.
struct _xmlElementContent;
struct _xmlEnumeration;
struct _xmlError;
struct _xmlParserCtxt;

/// A parser: libxml2's `xmlParserCtxt`.
typedef struct _xmlParserCtxt CLibXML2Parser;
/// An error: libxml2's `xmlError`.
typedef struct _xmlError CLibXML2Error;

/// The callbacks of a parser, as libxml2's `xmlSAXHandler` declares them; the first argument of each
/// is the `user` of `clibxml2_open`, texts are UTF-8.
struct clibxml2_handler {
  void (*_Nullable start_element)(void *_Nullable user, const unsigned char *_Nullable local,
                                  const unsigned char *_Nullable prefix,
                                  const unsigned char *_Nullable uri, int namespaces,
                                  const unsigned char *_Nullable *_Nullable namespace_pairs,
                                  int attributes, int defaulted,
                                  const unsigned char *_Nullable *_Nullable attribute_fives);
  void (*_Nullable end_element)(void *_Nullable user, const unsigned char *_Nullable local,
                                const unsigned char *_Nullable prefix,
                                const unsigned char *_Nullable uri);
  void (*_Nullable characters)(void *_Nullable user, const unsigned char *_Nullable text, int size);
  void (*_Nullable white_space)(void *_Nullable user, const unsigned char *_Nullable text,
                                int size);
  void (*_Nullable cdata)(void *_Nullable user, const unsigned char *_Nullable text, int size);
  void (*_Nullable entity)(void *_Nullable user, const unsigned char *_Nullable name, int type,
                           const unsigned char *_Nullable public_id,
                           const unsigned char *_Nullable system_id,
                           unsigned char *_Nullable content);
  /// Owns `values`: `clibxml2_free_enumeration`.
  void (*_Nullable attribute_list)(void *_Nullable user, const unsigned char *_Nullable element,
                                   const unsigned char *_Nullable name, int type, int standard,
                                   const unsigned char *_Nullable value,
                                   struct _xmlEnumeration *_Nullable values);
  void (*_Nullable element)(void *_Nullable user, const unsigned char *_Nullable name, int type,
                            struct _xmlElementContent *_Nullable content);
  void (*_Nullable notation)(void *_Nullable user, const unsigned char *_Nullable name,
                             const unsigned char *_Nullable public_id,
                             const unsigned char *_Nullable system_id);
  void (*_Nullable unparsed_entity)(void *_Nullable user, const unsigned char *_Nullable name,
                                    const unsigned char *_Nullable public_id,
                                    const unsigned char *_Nullable system_id,
                                    const unsigned char *_Nullable notation);
  void (*_Nullable error)(void *_Nullable user, CLibXML2Error *_Nullable error);
};

/// The treatment of faults and encodings by a parser.
enum {
  /// The first fault ends the document; encodings as libxml2 finds them.
  CLIBXML2_STRICT = 0,
  /// Goes on after faults (XML_PARSE_RECOVER).
  CLIBXML2_RECOVERING = 1,
  /// Takes UTF-8, whatever is declared (XML_PARSE_IGNORE_ENC).
  CLIBXML2_UTF8 = 2,
};

/// Loads libxml2 once and sees to it that no external entity is ever loaded.
///
/// - Returns: NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable clibxml2_load(void);

/// Its version as the library gives it: `20914` is 2.9.14.
const char *clibxml2_version(void);

/// Makes a parser of a document in memory, which has to stay there until it is freed.
///
/// - Parameters:
///   - user: what each call gets; never NULL, else libxml2 expands entities.
///   - options: CLIBXML2_RECOVERING, CLIBXML2_UTF8. Nothing is ever asked from the network.
/// - Returns: NULL without memory.
CLibXML2Parser *_Nullable clibxml2_open(const struct clibxml2_handler *handler, void *user,
                                        const char *_Nullable bytes, size_t size,
                                        unsigned int options);
/// Reads the document.
void clibxml2_run(CLibXML2Parser *parser);
/// The rest of the document, but for what libxml2 has in its buffer (a few thousand bytes), is not
/// read. For any call back, that of an error too, where xmlStopParser leaves pointers behind.
void clibxml2_stop(CLibXML2Parser *parser);
void clibxml2_free(CLibXML2Parser *parser);
/// Takes back that an error was seen: libxml2 2.9 drops every later reference, `&amp;` too.
void clibxml2_forget_error(CLibXML2Parser *parser);
/// Returns the number of different names that the document has had.
int clibxml2_name_count(CLibXML2Parser *parser);

void clibxml2_free_enumeration(struct _xmlEnumeration *_Nullable values);

int clibxml2_error_line(const CLibXML2Error *error);
const char *_Nullable clibxml2_error_message(const CLibXML2Error *error);
/// Returns true for an error that costs something of the document: a fatal one, or an unknown
/// entity.
bool clibxml2_error_is_fatal(const CLibXML2Error *error);
/// Returns true for an error that says that the document ended too early.
bool clibxml2_error_is_end(const CLibXML2Error *error);

#pragma clang assume_nonnull end

#endif
