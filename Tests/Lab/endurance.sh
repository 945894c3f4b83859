# Sends a part of a day of kiosk use through touchd's parts; `make endurance` sends a whole day. Arguments: the program
# Endurance, the number of events, and a seed. Runs with --plain, and takes a second for some thousand events.
exec "$1" /lab "${2-1000000}" "${3-1}"
