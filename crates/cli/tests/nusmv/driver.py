#!/usr/bin/env python3
"""NuSMV as a command, made from the library inside the Python package pynusmv.

The package has NuSMV 2.5.4 as a plain C library, `lib/libdependencies.so`, with the function that is NuSMV's own `main`. It is loaded
with ctypes, so any Python does, though the package itself is for an old one. The library is looked for on the path of modules; options
and output are those of NuSMV.
"""

import ctypes
import os
import sys


def library():
    """The library, or None if it is not there."""
    for folder in sys.path:
        path = os.path.join(folder, "lib", "libdependencies.so")
        if os.path.isfile(path):
            return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    return None


def main(arguments):
    nusmv = library()
    if nusmv is None:
        print("pynusmv is not installed: there is no lib/libdependencies.so on the path of modules", file=sys.stderr)
        return 1
    nusmv.NuSMVCore_init_data()
    nusmv.NuSMVCore_init(None, 0)
    nusmv.NuSMVCore_init_cmd_options()
    words = [b"NuSMV"] + [os.fsencode(word) for word in arguments]
    status = ctypes.c_int(0)
    nusmv.NuSMVCore_main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None), ctypes.byref(status))
    nusmv.NuSMVCore_quit()
    return status.value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
