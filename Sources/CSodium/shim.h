#include <dlfcn.h>
#include <stddef.h>

// libsodium, loaded when a secret is sealed or opened for the first time: docs/decisions/0081. The functions are declared
// here instead of in sodium.h, so that a build for one user does not need its headers. The declarations are part of the ABI
// of libsodium.so.23.

// Sizes of XChaCha20-Poly1305 in bytes (crypto_aead_xchacha20poly1305_ietf_*).
enum {
    REMINDAV_SODIUM_KEY_BYTES = 32,
    REMINDAV_SODIUM_NONCE_BYTES = 24,
    REMINDAV_SODIUM_TAG_BYTES = 16
};

struct RemindavSodium {
    int (*_Nonnull encrypt)(unsigned char *_Nonnull box, unsigned long long *_Nullable boxLength,
                            const unsigned char *_Nullable message, unsigned long long messageLength,
                            const unsigned char *_Nullable about, unsigned long long aboutLength,
                            const unsigned char *_Nullable unused, const unsigned char *_Nonnull nonce,
                            const unsigned char *_Nonnull key);
    int (*_Nonnull decrypt)(unsigned char *_Nullable message, unsigned long long *_Nullable messageLength,
                            unsigned char *_Nullable unused, const unsigned char *_Nonnull box,
                            unsigned long long boxLength, const unsigned char *_Nullable about,
                            unsigned long long aboutLength, const unsigned char *_Nonnull nonce,
                            const unsigned char *_Nonnull key);
};
typedef const struct RemindavSodium *_Nonnull RemindavSodiumLibrary;

// A short text in Swift would be no string of the program's file, in which Tests/libraries.py searches it.
static inline const char *_Nonnull remindav_sodium_name(void) { return "libsodium.so.23"; }

// Fills in all functions and returns 1; 0 if there is no such library, or if it lacks one of them.
static inline int remindav_load_sodium(const char *_Nonnull name, struct RemindavSodium *_Nonnull sodium) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
    // sodium_init selects the fastest implementation for this processor; it may be called several times.
    int (*init)(void) = (int (*)(void))dlsym(handle, "sodium_init");
    void *encrypt = dlsym(handle, "crypto_aead_xchacha20poly1305_ietf_encrypt");
    void *decrypt = dlsym(handle, "crypto_aead_xchacha20poly1305_ietf_decrypt");
    if (!init || !encrypt || !decrypt || init() < 0) {
        dlclose(handle);
        return 0;
    }
    sodium->encrypt = (__typeof__(sodium->encrypt))encrypt;
    sodium->decrypt = (__typeof__(sodium->decrypt))decrypt;
    return 1;
}
