# To be sourced with the folder that `packages` made: a database for dpkg that knows this machine's packages, but not their files.
# Not under test: the index of man pages, and changes to dpkg in containers.
rm -f /var/lib/man-db/auto-update /usr/sbin/policy-rc.d /etc/dpkg/dpkg.cfg.d/*
mkdir /tmp/database
tar -xf "$1/dpkg.tar" -C /tmp/database
mount --bind /tmp/database/dpkg /var/lib/dpkg
