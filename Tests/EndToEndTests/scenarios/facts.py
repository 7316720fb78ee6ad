"""What each server cannot do, in words. Everything else it can; scenarios ask here and nowhere else.

A word of the first column names a fact; the sentence says what the server does instead, and stands in docs/servers.md.
Each of them is asked of the server itself by a scenario, so that none can stay here when it is no longer true.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Facts:
    cannot: dict = field(default_factory=dict)


FACTS = {
    "radicale": Facts({
        "keeps events out of a to-do list": "takes events into any list",
        "keeps every byte": "sorts the properties of each to-do and writes them anew",
    }),
    "xandikos": Facts({
        "keeps every byte": "sorts the properties of each to-do and writes them anew",
        "names with a percent sign": "answers 500 to a name with a percent sign, and has made the list without its name",
        "checks passwords": "asks for no password over plain http",
        "read-only list": "has no list that its owner may only read; the proxy refuses the write with 403 instead",
    }),
    "davical": Facts({
        "keeps events out of a to-do list": "takes events into any list",
        "refuses a doubled UID": "stores the same UID at a second address (201)",
        "read-only list": "has no list that its owner may only read; the proxy refuses the write with 403 instead",
    }),
    "cyrus": Facts({
        "keeps every byte": "libical writes each to-do anew",
        "keeps a comma in a category": "makes two categories of one that has a comma in it",
        "keeps unknown components": "drops components that libical does not know",
        "keeps new properties": "drops CONCEPT, REFID and other names that libical 3.0 does not know; X- names survive",
        "one UID in two lists": "refuses a UID that another list of the same person has (403); what was moved to "
                                "two lists by two machines stays in the one that came first, and the other is told of",
    }),
    "sogo": Facts({
        "keeps every byte": "adds CLASS:PUBLIC and orders the properties anew",
        "a DELETE under a condition": "deletes whatever If-Match says: an edit in the moment between our look and our DELETE is lost",
        "a new entity tag for a new body": "counts entity tags from zero at each address: an object that is deleted and created again "
                                           "between two syncs looks unchanged until it is edited again",
        "keeps events out of a to-do list": "takes events into any list",
        "sync token moves with writes": "counts its tokens in seconds: equal does not mean unchanged, so each sync asks",
        "escapes what it lists": "escapes no address in its answers to sync-collection, so that there are no digits to spell",
        "many labels": "answers 500 when all labels of a to-do are longer than 255 bytes",
        "refuses a doubled UID": "stores the same UID at a second address (201)",
        "lists for events only": "ignores which components a list is for, so that each list takes to-dos",
        "read-only list": "has no list that its owner may only read; the proxy refuses the write with 403 instead",
    }),
    "sabre": Facts({
        "sync-collection": "has no sync-collection: each sync of a changed list lists all entity tags",
        "refuses a doubled UID": "stores the same UID at a second address (201)",
        "read-only list": "has no list that its owner may only read; the proxy refuses the write with 403 instead",
    }),
    "nextcloud": Facts({
        "takes a deleted UID again": "keeps the UIDs of objects in its trash and answers 500; the item is restored from there with its UID",
        "gives back the address of a list": "keeps the address of a deleted list in its trash (405)",
    }),
}
