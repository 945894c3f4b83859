"""Validates lines of the control socket against the schema, and prints what is wrong, one error per line of output.

    validate-protocol.py SCHEMA LINES

A line begins with '→ ' if the client sends it, otherwise with '← '. An answer belongs to the last request before it.
"""
import json
import pathlib
import sys

import jsonschema

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
jsonschema.Draft202012Validator.check_schema(schema)
request = ""


def check(name, value):
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/" + name, "$defs": schema["$defs"]})
    for error in validator.iter_errors(value):
        print(f"{name} {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")


for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
    message = json.loads(line[2:])
    if line.startswith("→"):
        request = message["request"]
        check("request-" + request, message)
    elif "event" in message:
        check("event-" + message["event"], message)
    else:
        check("answer", message)
        if "result" in message:
            check("result-" + request, message["result"])
