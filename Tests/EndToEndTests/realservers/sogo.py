"""SOGo from Debian: sogod itself, on a private PostgreSQL and memcached. It ignores the conditions of writes.

Measured with sogo 5.8.0-2+deb12u4 and PostgreSQL 15 of Debian 12.
"""

from realservers.base import USER, Server, free_port, give, require_root, version_of
from realservers.postgres import OWNER, Cluster

PEOPLE = """
CREATE USER sogo PASSWORD 'sogo';
CREATE DATABASE sogo OWNER sogo;
\\c sogo
CREATE TABLE sogo_users (c_uid varchar(64) primary key, c_name varchar(64), c_password varchar(128),
  c_cn varchar(128), mail varchar(128));
INSERT INTO sogo_users VALUES ('{user}', '{user}', '{password}', 'Test User', 'user@example.net');
ALTER TABLE sogo_users OWNER TO sogo;
"""
TABLES = {
    "SOGoProfileURL": "sogo_user_profile", "OCSFolderInfoURL": "sogo_folder_info",
    "OCSSessionsFolderURL": "sogo_sessions_folder", "OCSEMailAlarmsFolderURL": "sogo_alarms_folder",
    "OCSStoreURL": "sogo_store", "OCSAclURL": "sogo_acl", "OCSCacheFolderURL": "sogo_cache_folder",
}


class SOGo(Server):
    name = "sogo"
    title = "SOGo"
    path = f"/SOGo/dav/{USER}/"
    home = f"/SOGo/dav/{USER}/Calendar/"
    others_read = True
    run_as = "sogo"
    end_seconds = 2             # sogod waits for its workers, and they for their clients

    def __init__(self):
        require_root("SOGo")
        super().__init__()
        self.cluster = Cluster(self.folder / "pg", free_port(), listen="127.0.0.1")
        self.own = self.folder / "sogo"

    def prepare(self):
        fresh = self.cluster.make()
        self.own.mkdir(exist_ok=True)
        give(self.own, "sogo")
        self.launch(self.cluster.command(), user=OWNER, environment=self.cluster.environment)
        self.wait_until(self.cluster.is_up)
        if fresh:
            self.cluster.sql("postgres", PEOPLE.format(user=self.user, password=self.password))
        self.launch(["memcached", "-s", str(self.own / "memcached.sock"), "-a", "0777", "-m", "64"], user="sogo")

    def command(self):
        database = f"postgresql://sogo:sogo@127.0.0.1:{self.cluster.port}/sogo"
        source = (
            f'({{ type = sql; id = users; viewURL = "{database}/sogo_users"; canAuthenticate = YES; '
            "isAddressBook = YES; userPasswordAlgorithm = plain; displayName = Test; })"
        )
        # Arguments take precedence over the package's configuration file.
        settings = {
            "WOPort": f"127.0.0.1:{self.port}", "WOWorkersCount": "4", "WONoDetach": "YES",
            "WOPidFile": self.own / "pid", "WOLogFile": self.own / "log",
            **{name: f"{database}/{table}" for name, table in TABLES.items()},
            "SOGoMemcachedHost": self.own / "memcached.sock", "SOGoEnableEMailAlarms": "NO", "SOGoTimeZone": "UTC",
            "SOGoUserSources": source,
        }
        return ["/usr/sbin/sogod", *[str(word) for name, value in settings.items() for word in (f"-{name}", value)]]

    def environment(self):
        return {**super().environment(), "HOME": str(self.own), "LC_ALL": "C.UTF-8"}

    def is_up(self):
        body = b'<D:propfind xmlns:D="DAV:"><D:prop><D:displayname/></D:prop></D:propfind>'
        return self.request("PROPFIND", self.home, body, {"Depth": "0", "Content-Type": "application/xml"})[0] == 207

    def tail(self):
        log = self.own / "log"
        return super().tail() + (log.read_text(errors="replace")[-2000:] if log.exists() else "")

    def version(self):
        return version_of("sogo")
