"""A private Apache with PHP in a folder, for the servers that are written in PHP. It runs as www-data."""

from pathlib import Path

MODULES = Path("/usr/lib/apache2/modules")
OWNER = "www-data"
NAMES = "mpm_prefork authz_core alias dir env mime setenvif rewrite headers filter"
HEAD = """
ServerRoot {folder}
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/error.log
User {owner}
Group {owner}
TypesConfig /dev/null
AllowEncodedSlashes NoDecode
StartServers 2
MinSpareServers 2
MaxSpareServers 6
MaxRequestWorkers 20
php_admin_value memory_limit 512M
php_admin_value error_log {folder}/php.log
<FilesMatch "\\.php$">
  SetHandler application/x-httpd-php
</FilesMatch>
"""


def configure(folder, port, rest):
    """Writes the configuration. Returns the command that runs Apache in the foreground."""
    folder.mkdir(parents=True, exist_ok=True)
    php = sorted(MODULES.glob("libphp*.so"))[-1]
    lines = [f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in NAMES.split()]
    lines.append(f"LoadModule php_module {php}")
    head = HEAD.format(folder=folder, port=port, owner=OWNER)
    (folder / "conf").write_text("\n".join(lines) + head + rest)
    return ["/usr/sbin/apache2", "-f", str(folder / "conf"), "-DFOREGROUND"]
