# Sends a part of a day of kiosk use through touchd's parts, as `make endurance` does with a whole one. Arguments: the program
# Endurance, how many events, and a seed. Runs with --plain, and takes a second for some thousand events.
exec "$1" /lab "${2-1000000}" "${3-1}"
