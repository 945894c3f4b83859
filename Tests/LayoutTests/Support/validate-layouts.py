"""Validates each layout against the schema, and prints a JSON object with a list of errors per file.

    validate-layouts.py SCHEMA FILE…

A file that has neither screen nor screens and whose name begins with 'part-' is one that others include. YAML is read by
version 1.2's core schema, as touchd and editors read it.
"""
import json
import pathlib
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """PyYAML with YAML 1.2's plain scalars, and without duplicate keys."""

    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        doubled = {key for key in keys if keys.count(key) > 1} if len(keys) < 1000 else set()
        if doubled:
            raise yaml.constructor.ConstructorError(None, None, f"keys given twice: {doubled}", node.start_mark)
        return {self.construct_key(key): self.construct_object(value, deep=True) for key, value in node.value}

    def construct_key(self, node):
        return node.value if isinstance(node, yaml.ScalarNode) else str(node.value)


def mapping(loader, node):
    return loader.construct_mapping(node)


def number(loader, node):
    value = float(loader.construct_scalar(node))
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


Loader.add_constructor("tag:yaml.org,2002:map", mapping)
Loader.add_constructor("tag:yaml.org,2002:bool", lambda loader, node: node.value.lower() == "true")
Loader.add_constructor("tag:yaml.org,2002:float", number)
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"), list("-+.0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(~|null|Null|NULL|)$"), ["~", "n", "N", ""])

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
jsonschema.Draft202012Validator.check_schema(schema)
whole = jsonschema.Draft202012Validator(schema)
part = jsonschema.Draft202012Validator({"$ref": "#/$defs/part", "$defs": schema["$defs"]})
answer = {}
for path in sys.argv[2:]:
    validator = part if pathlib.Path(path).name.startswith("part-") else whole
    try:
        document = yaml.load(pathlib.Path(path).read_text(), Loader)
        answer[path] = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in validator.iter_errors(document)]
    except (yaml.YAMLError, RecursionError) as error:
        answer[path] = [f"not YAML: {error}"]
print(json.dumps(answer, indent=1))
