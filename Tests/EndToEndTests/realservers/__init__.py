"""The real servers that the end-to-end tests talk to, one file each."""
