"""Example bodies for the OpenAPI document, put together from the examples of their parts."""

from collections.abc import Mapping
from typing import Any, Final

Json = dict[str, Any]

_PLACEHOLDERS: Final[Mapping[str, Any]] = {
    "string": "text",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "null": None,
}


def sample(schema: Json, components: Mapping[str, Json]) -> Any:  # noqa: ANN401  # any JSON
    """Return an example of a schema: its own, or else that of its parts.

    ``components`` are the document's schemas by name. A part that tells nothing about itself
    becomes a placeholder; a test finds it.
    """
    if "$ref" in schema:
        schema = resolve(schema, components)
    complete = [item for item in schema.get("examples", ()) if _is_complete(item, schema)]
    if complete:
        return complete[0]
    if "const" in schema:
        return schema["const"]
    for branches in (schema.get("anyOf", ()), schema.get("oneOf", ())):
        if branches:
            return _of_branches(schema, branches, components)
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    return _of_type(schema, components)


def resolve(schema: Json, components: Mapping[str, Json]) -> Json:
    """Return the component that a reference names."""
    return components[schema["$ref"].rpartition("/")[2]]


def unexplained(schema: Json, components: Mapping[str, Json], path: str = "") -> list[str]:
    """Return the parts of a schema that tell no example of themselves, as paths."""
    if "$ref" in schema:
        schema = resolve(schema, components)
    if schema.keys() & {"examples", "const", "enum", "default"}:
        return []
    branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if branches:
        found = [unexplained(branch, components, path) for branch in branches]
        return [] if [] in found[:1] else found[0]
    if schema.get("type") == "object":
        members = schema.get("properties", {})
        return [
            item
            for name, member in members.items()
            for item in unexplained(member, components, f"{path}.{name}")
        ]
    if schema.get("type") == "array":
        return unexplained(schema["items"], components, f"{path}[]")
    return [] if schema.get("type") in {"boolean", "null"} else [path]


def _is_complete(example: object, schema: Json) -> bool:
    """Return whether an example is one of an answer too, where nothing may be left out."""
    return not isinstance(example, dict) or example.keys() >= set(schema.get("required", ()))


def _of_branches(schema: Json, branches: list[Json], components: Mapping[str, Json]) -> Any:  # noqa: ANN401
    if "default" in schema and "examples" not in branches[0]:
        return schema["default"]
    return sample(branches[0], components)


def _of_type(schema: Json, components: Mapping[str, Json]) -> Any:  # noqa: ANN401
    kind = schema.get("type")
    if kind == "object":
        members = schema.get("properties", {})
        return {name: sample(member, components) for name, member in members.items()}
    if kind == "array":
        return [sample(schema["items"], components)]
    return _PLACEHOLDERS.get(kind) if isinstance(kind, str) else None
