// The functions of libcrypt that keep passwords (crypt(3), crypt_gensalt(3)), loaded on first use.

#ifndef NEWS_CCRYPT_H
#define NEWS_CCRYPT_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// Bytes that a hash has room in, with its NUL.
enum { CCRYPT_HASH_SIZE = 384 };

/// Loads the library once; NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable ccrypt_load(void);

/// Hashes a password by the strongest method that the library has, with a salt of its own making;
/// false where it cannot.
bool ccrypt_hash(const char *password, char *hash);

/// Hashes a password by the method and the salt of another hash; false where that is none.
bool ccrypt_hash_as(const char *password, const char *other, char *hash);

#pragma clang assume_nonnull end

#endif
