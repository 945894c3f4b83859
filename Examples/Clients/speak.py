#!/usr/bin/env python3
"""Says what touchd reports in the talking mode, through Speech Dispatcher: speak.py [SOCKET].

On Debian: apt install python3-speechd speech-dispatcher-espeak-ng. touchd-speak.service beside this file runs it on a kiosk. Each text
it speaks is also printed. A newer text, and a finger that lands, interrupt what is being said.
"""
import json
import os
import socket
import sys

import speechd

# The English words of touchd in the languages of labels. Add yours.
WORDS = {
    "de": {
        "key": "Taste", "dimmed": "nicht verfügbar", "on": "ein", "off": "aus", "button": "Taste", "toggle": "Schalter",
        "slider": "Regler", "link": "Link", "heading": "Überschrift", "image": "Bild", "end": "Schluss", "started": "Vorlesen an",
        "ended": "Vorlesen aus", "holding": "Finger liegen lassen, dann wird vorgelesen",
        "ending": "Zum Weitermachen berühren",
    },
    "en": {"started": "Speech is on", "ended": "Speech is off", "holding": "Keep your finger there for speech",
           "ending": "Touch the screen to go on"},
}


def text_of(event, words):
    """The text that speaks of an event; empty for silence."""
    change = event["change"]
    if change in ("started", "ended", "holding", "ending", "end"):
        return words.get(change, change)
    if change == "said":
        return words.get("key", "key") if event["label"] == "key" else event["label"]
    if change not in ("focus", "refused", "adjusted"):
        return ""
    label = event.get("label", "")
    parts = [words.get(label, label) if label == "key" else label, event.get("value"), event.get("state")]
    if not label:
        parts.insert(0, event.get("role"))
    return ", ".join(words.get(part, part) for part in parts if part)


def main():
    touchd = socket.socket(socket.AF_UNIX)
    touchd.connect(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("TOUCHD_SOCKET", "/run/touchd/control"))
    touchd.sendall(b'{"request": "subscribe", "to": ["accessibility"]}\n')
    speech = speechd.SSIPClient("touchd")
    language = moment = None
    for line in touchd.makefile(encoding="utf-8"):
        event = json.loads(line)
        if "result" in event:
            print("listening", flush=True)
        if event.get("event") != "accessibility":
            continue
        if event.get("language", language or "en") != language:
            language = event.get("language", "en")
            speech.set_language(language)
        # An event of the same moment waits for it: that the mode is on, then the first element.
        if event["time"] != moment:
            speech.cancel()
        moment = event["time"]
        text = text_of(event, WORDS.get(language, WORDS["en"]))
        if text:
            speech.speak(text)
            print(f"{language}: {text}", flush=True)


main()
