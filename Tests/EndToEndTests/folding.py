"""Content lines as bytes (RFC 5545 section 3.1), written without the program's help."""


def fold(line):
    """The physical lines of a content line: at most 75 octets each, and never cut inside a letter."""
    rest = line.encode()
    while len(rest) > 75:
        cut = 75
        while rest[cut] & 0xC0 == 0x80:
            cut -= 1
        yield rest[:cut]
        rest = b" " + rest[cut:]
    yield rest


def written(lines):
    return b"".join(part + b"\r\n" for line in lines for part in fold(line))
