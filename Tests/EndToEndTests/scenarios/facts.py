"""The limitations of each server. Scenarios read them only here.

The first column names a fact; the sentence describes the behaviour of the server, and is listed in docs/servers.md. A
scenario tests each fact with the server itself, so that an outdated fact fails.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Facts:
    cannot: dict = field(default_factory=dict)


FACTS = {
    "radicale": Facts({
        "keeps events out of a to-do list": "accepts events in any list",
        "keeps every byte": "sorts and rewrites the properties of each to-do",
    }),
    "xandikos": Facts({
        "keeps every byte": "sorts and rewrites the properties of each to-do",
        "names with a percent sign": "answers 500 to a list name with a percent sign, and creates the list without its name",
        "checks passwords": "requests no password over unencrypted http",
        "read-only list": "has no read-only list for its owner; the proxy refuses the write with 403 instead",
    }),
    "davical": Facts({
        "keeps events out of a to-do list": "accepts events in any list",
        "refuses a doubled UID": "stores the same UID at a second address (HTTP status 201)",
        "read-only list": "has no read-only list for its owner; the proxy refuses the write with 403 instead",
    }),
    "cyrus": Facts({
        "keeps every byte": "rewrites each to-do with libical",
        "keeps a comma in a category": "splits a category that contains a comma into two categories",
        "keeps unknown components": "drops components that libical does not know",
        "keeps new properties": "drops CONCEPT, REFID and other names that libical 3.0 does not know; X- names survive",
        "one UID in two lists": "refuses a UID that another list of the same user has (403); a to-do that two machines "
                                "moved to two lists stays in the first one, and the other is reported",
    }),
    "sogo": Facts({
        "keeps every byte": "adds CLASS:PUBLIC and reorders the properties",
        "a DELETE under a condition": "ignores If-Match of a DELETE: an edit between the listing and the DELETE of Remindav is lost",
        "a new entity tag for a new body": "counts entity tags from zero at each address: an object that is deleted and created again "
                                           "between two syncs looks unchanged until it is edited again",
        "keeps events out of a to-do list": "accepts events in any list",
        "sync token moves with writes": "counts its sync tokens in seconds: a list may have changed although its token is the same, so each sync sends one more request",
        "escapes what it lists": "does not percent-encode the addresses in its responses to sync-collection",
        "many labels": "answers 500 when all labels of a to-do are longer than 255 bytes",
        "refuses a doubled UID": "stores the same UID at a second address (HTTP status 201)",
        "lists for events only": "ignores the component set of a list, so each list accepts to-dos",
        "read-only list": "has no read-only list for its owner; the proxy refuses the write with 403 instead",
    }),
    "sabre": Facts({
        "sync-collection": "has no sync-collection: each sync of a changed list lists all entity tags",
        "refuses a doubled UID": "stores the same UID at a second address (HTTP status 201)",
        "read-only list": "has no read-only list for its owner; the proxy refuses the write with 403 instead",
    }),
    "nextcloud": Facts({
        "takes a deleted UID again": "keeps the UIDs of objects in its trash and answers 500 to a new object with such a UID; Remindav then restores the object from the trash",
        "gives back the address of a list": "keeps the address of a deleted list in its trash (HTTP status 405)",
    }),
}
