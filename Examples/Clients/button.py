#!/usr/bin/env python3
"""Publishes a button in the middle of a slot of touchd's layout, and prints what happens to it.

Usage: button.py SLOT [SOCKET]
"""
import json
import socket
import sys


def main(slot, path="/run/touchd/control"):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    stream = connection.makefile("rw", encoding="utf-8")

    def request(name, **keys):
        print(json.dumps({"request": name, **keys}), file=stream, flush=True)
        for line in stream:
            message = json.loads(line)
            if "error" in message:
                sys.exit(message["error"]["message"])
            if "result" in message:
                return message["result"]
        sys.exit("touchd has closed the connection")

    request("hello", protocol=1)
    button = {"id": "button", "frame": ["25%", "25%", "50%", "50%"], "control": "button"}
    area = request("views", slot=slot, publisher="button.py", views=[button])
    print(f"published in {area['width']:g} × {area['height']:g} points", flush=True)
    request("subscribe", to=["controls"], own=True)
    # The slot is emptied when this program ends.
    for line in stream:
        event = json.loads(line)
        if event["event"] == "control":
            print(event["control"], flush=True)
        elif event["event"] == "slot" and event["change"] in ("taken", "emptied"):
            sys.exit("the slot is " + event["change"])


main(*sys.argv[1:])
