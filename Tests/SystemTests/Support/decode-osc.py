"""Prints the messages of OSC bundles, one JSON list for each line of hexadecimal digits; the parser is python-osc."""

import json
import sys

from pythonosc.osc_bundle import OscBundle

for line in sys.stdin:
    bundle = OscBundle(bytes.fromhex(line))
    print(json.dumps([[message.address, *message.params] for message in bundle]))
