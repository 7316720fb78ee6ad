"""sabre/dav 1.8 from Debian on a private Apache and SQLite: no sync-collection, only ctag and entity tags.

Measured with php-sabre-dav 1.8.12-10 and PHP 8.2 of Debian 12.
"""

import hashlib
import sqlite3
import time

from realservers import apache
from realservers.base import USER, Server, give, require_root, version_of

PROGRAM = r"""<?php
error_reporting(E_ALL & ~E_DEPRECATED & ~E_STRICT & ~E_NOTICE & ~E_WARNING);
date_default_timezone_set('UTC');
require_once 'Sabre/autoload.php';
$database = new PDO('sqlite:' . getenv('TEST_DATABASE'));
$database->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$database->exec('PRAGMA synchronous = off');
class Passwords extends Sabre\DAV\Auth\Backend\AbstractBasic {
  protected function validateUserPass($user, $password) {
    return $user === getenv('TEST_USER') && $password === getenv('TEST_PASSWORD');
  }
}
$principals = new Sabre\DAVACL\PrincipalBackend\PDO($database);
$calendars = new Sabre\CalDAV\Backend\PDO($database);
$server = new Sabre\DAV\Server(array(
  new Sabre\CalDAV\Principal\Collection($principals),
  new Sabre\CalDAV\CalendarRootNode($principals, $calendars),
));
$server->setBaseUri('/dav.php/');
$server->addPlugin(new Sabre\DAV\Auth\Plugin(new Passwords(), 'SabreDAV'));
$server->addPlugin(new Sabre\DAVACL\Plugin());
$server->addPlugin(new Sabre\CalDAV\Plugin());
$server->exec();
"""
TABLES = """
CREATE TABLE calendars (id integer primary key, principaluri text, displayname text, uri text, ctag integer,
  description text, calendarorder integer, calendarcolor text, timezone text, components text, transparent integer,
  unique (principaluri, uri));
CREATE TABLE calendarobjects (id integer primary key, calendardata blob, uri text, calendarid integer,
  lastmodified integer, etag text, size integer, componenttype text, firstoccurence integer, lastoccurence integer,
  unique (calendarid, uri));
CREATE TABLE principals (id integer primary key, uri text unique, email text, displayname text, vcardurl text);
CREATE TABLE groupmembers (id integer primary key, principal_id integer, member_id integer);
"""
CONFIGURATION = """
DocumentRoot {folder}/html
<Directory {folder}/html>
  Require all granted
</Directory>
RedirectMatch 301 ^/\\.well-known/caldav/?$ /dav.php/
"""


class Sabre(Server):
    name = "sabre"
    title = "sabre/dav 1.8"
    path = "/dav.php/"
    home = f"/dav.php/calendars/{USER}/"
    others_read = True

    def __init__(self):
        require_root("sabre/dav")
        super().__init__()
        self.data = self.folder / "data"

    @property
    def database(self):
        return self.data / "db.sqlite"

    def prepare(self):
        (self.folder / "html").mkdir(exist_ok=True)
        (self.folder / "html" / "dav.php").write_text(PROGRAM)
        self.data.mkdir(exist_ok=True)
        if not self.database.exists():
            connection = sqlite3.connect(self.database)
            connection.executescript(TABLES)
            principal = f"principals/{self.user}"
            connection.executemany(
                "INSERT INTO principals (uri, email, displayname) VALUES (?, ?, ?)",
                [(principal, "user@example.net", "Test User"),
                 (principal + "/calendar-proxy-read", None, None), (principal + "/calendar-proxy-write", None, None)])
            connection.commit()
            connection.close()
        give(self.data, apache.OWNER)

    def command(self):
        return apache.configure(self.folder / "apache", self.port, CONFIGURATION.format(folder=self.folder))

    def environment(self):
        return {
            **super().environment(), "TEST_DATABASE": str(self.database), "TEST_USER": self.user,
            "TEST_PASSWORD": self.password,
        }

    def is_up(self):
        return self.request("PROPFIND", self.home, b"", {"Depth": "0"})[0] == 207

    def fill(self, peer, path, texts):
        """Inserts rows into its table."""
        connection = sqlite3.connect(self.database, timeout=60)
        uri = path.rstrip("/").rsplit("/", 1)[1]
        number = connection.execute("SELECT id FROM calendars WHERE uri = ?", (uri,)).fetchone()[0]
        connection.executemany(
            "INSERT INTO calendarobjects (calendardata, uri, calendarid, lastmodified, etag, size, componenttype) "
            "VALUES (?, ?, ?, ?, ?, ?, 'VTODO')",
            [(text, f"{uid}.ics", number, int(time.time()), hashlib.md5(text).hexdigest(), len(text))
             for uid, text in texts.items()])
        connection.execute("UPDATE calendars SET ctag = ctag + 1 WHERE id = ?", (number,))
        connection.commit()
        connection.close()

    def version(self):
        return version_of("php-sabre-dav")
