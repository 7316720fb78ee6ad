"""DAViCal from Debian on a private PostgreSQL and a private Apache: it keeps every byte and obeys every condition.

Measured with davical 1.1.12-2, PHP 8.2 and PostgreSQL 15 of Debian 12.
"""

from realservers import apache
from realservers.base import USER, Server, require_root, version_of
from realservers.postgres import OWNER, Cluster

CONFIGURATION = """
DocumentRoot /usr/share/davical/htdocs
Alias /davical /usr/share/davical/htdocs
<Directory /usr/share/davical/htdocs>
  DirectoryIndex index.php
  AllowOverride None
  Require all granted
</Directory>
RewriteEngine On
RewriteRule ^/\\.well-known/(.*)$ /davical/caldav.php/.well-known/$1 [NC,PT]
SetEnvIfNoCase Authorization "(.+)" HTTP_AUTHORIZATION=$1
"""
# User 1, which is created with the tables, is the administrator. A password after two stars is not hashed.
PEOPLE = """
INSERT INTO usr (user_no, active, email_ok, updated, username, password, fullname, email)
  VALUES (10, true, current_date, current_date, '{user}', '**{password}', 'Test User', 'user@example.net');
INSERT INTO principal (type_id, user_no, displayname, default_privileges) VALUES (1, 10, 'Test User', 0::BIT(24));
"""
FILL = """
BEGIN;
CREATE TEMPORARY TABLE given (uid text, body text) ON COMMIT DROP;
INSERT INTO given VALUES {rows};
INSERT INTO caldav_data (user_no, dav_name, dav_etag, created, modified, caldav_data, caldav_type, logged_user, collection_id)
  SELECT user_no, dav_name || uid || '.ics', md5(body), now(), now(), body, 'VTODO', user_no, collection_id
  FROM given, collection WHERE dav_name = '{name}';
INSERT INTO calendar_item (user_no, dav_name, dav_etag, uid, created, last_modified, dtstamp, dav_id, collection_id)
  SELECT user_no, caldav_data.dav_name, dav_etag, uid, now(), now(), now(), dav_id, caldav_data.collection_id
  FROM given JOIN caldav_data ON dav_name = '{name}' || uid || '.ics';
INSERT INTO sync_changes (collection_id, sync_status, dav_id, dav_name)
  SELECT collection_id, 201, dav_id, dav_name FROM given JOIN caldav_data ON dav_name = '{name}' || uid || '.ics';
COMMIT;
"""


class DAViCal(Server):
    name = "davical"
    title = "DAViCal"
    path = "/davical/caldav.php/"
    home = f"/davical/caldav.php/{USER}/"
    others_read = True

    def __init__(self):
        require_root("DAViCal")
        super().__init__()
        self.cluster = Cluster(self.folder / "pg", 5432)

    def prepare(self):
        fresh = self.cluster.make()
        self.launch(self.cluster.command(), user=OWNER, environment=self.cluster.environment)
        self.wait_until(self.cluster.is_up)
        if fresh:
            # The password of the administrator, which no test uses.
            self.cluster.run("sh", "/usr/share/davical/dba/create-database.sh", "davical", "unused")
            self.cluster.sql("davical", PEOPLE.format(user=self.user, password=self.password))

    def command(self):
        return apache.configure(self.folder / "apache", self.port, CONFIGURATION)

    def environment(self):
        # The package's configuration has "dbname=davical user=davical_app"; libpq reads the rest from here.
        return {**super().environment(), "PGHOST": str(self.cluster.folder), "PGPORT": str(self.cluster.port)}

    def is_up(self):
        return self.request("OPTIONS", self.home)[0] == 200

    def fill(self, peer, path, texts):
        """Inserts rows into its tables, as a PUT does."""
        rows = ",".join(f"('{uid}', $text${text.decode()}$text$)" for uid, text in texts.items())
        name = path[len("/davical/caldav.php"):]
        self.cluster.sql("davical", FILL.format(rows=rows, name=name))

    def version(self):
        return version_of("davical")
