"""The OpenAPI document: what FastAPI finds, with what holds for every operation written in.

A handler documents its own refusals. Those that come from what it is (it changes something,
it wants a session, it reads a body) are added here, so that no handler can forget them.
"""

import inspect
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from services.gateway.api.openapi_parts import (
    HEADERS,
    LINKS,
    OPTIONAL_SECURITY,
    PARAMETERS,
    PATH_PARAMETERS,
    RESPONSE_HEADERS,
    SECURITY_SCHEMES,
    TAGS,
)
from services.gateway.api.openapi_socket import SOCKET_PATH, socket_operation
from services.gateway.api.problem_docs import (
    problem_examples,
    problem_response,
    problem_schemas,
    types_of,
)
from services.gateway.api.samples import resolve, sample
from services.gateway.api.scopes import allowed_scopes
from services.gateway.problems import KINDS, MEDIA_TYPE, ProblemType
from services.gateway.tokens import Scope

Json = dict[str, Any]

METHODS: Final = ("get", "post", "put", "patch", "delete")
_UNUSED: Final = ("HTTPValidationError", "ValidationError")
_JSON: Final = "application/json"

_SIGNED_IN: Final = (ProblemType.NO_SESSION, ProblemType.RATE_LIMITED)
_CHANGE: Final = (
    ProblemType.MALFORMED,
    ProblemType.CROSS_ORIGIN,
    ProblemType.TOO_LARGE,
    ProblemType.UNSUPPORTED_MEDIA_TYPE,
)


def document(app: FastAPI) -> Json:
    """Return the document of an application, built once."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            description=app.description,
            routes=app.routes,
        )
        _add_components(found)
        for path, methods in found["paths"].items():
            for method in METHODS:
                if method in methods:
                    _Operation(methods[method], method, path, found).complete()
        found["paths"][SOCKET_PATH] = {"get": socket_operation()}
        app.openapi_schema = found
    return app.openapi_schema


def _add_components(found: Json) -> None:
    found["servers"] = [{"url": "/", "description": "The server that this document is from"}]
    found["tags"] = [{"name": name, "description": text} for name, text in TAGS]
    components = found.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in _UNUSED:
        schemas.pop(name, None)
    for schema in schemas.values():
        _drop_titles(schema)
    schemas.update(problem_schemas())
    components["examples"] = problem_examples()
    components["headers"] = dict(HEADERS)
    components["securitySchemes"] = dict(SECURITY_SCHEMES)


def _drop_titles(schema: Json) -> None:
    """Leave out the titles that pydantic makes of names, throughout a schema."""
    if isinstance(schema.get("title"), str):
        del schema["title"]
    parts = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        parts.extend(schema.get(keyword, ()))
    parts.extend(schema[keyword] for keyword in ("items", "not") if keyword in schema)
    for part in parts:
        _drop_titles(part)


class _Operation:
    """One operation of the document, to be completed."""

    def __init__(self, spec: Json, method: str, path: str, found: Json) -> None:
        self._spec = spec
        self._method = method
        self._path = path
        self._schemas: dict[str, Json] = found["components"]["schemas"]
        self._examples: dict[str, Json] = found["components"]["examples"]
        # Of personal tokens, one of which is needed; None where nobody has to sign in.
        self._scopes: list[Scope] | None = None

    def complete(self) -> None:
        """Add texts, security, refusals, headers, examples and links."""
        self._tell()
        self._secure()
        self._refuse()
        self._parametrize()
        self._exemplify()
        self._link()
        self._add_headers()

    def _tell(self) -> None:
        """Take the first sentence of the handler's docstring as the summary."""
        text = inspect.cleandoc(self._spec["description"])
        head = " ".join(text.partition("\n\n")[0].split())
        self._spec["summary"] = head.rstrip(".")
        self._spec["description"] = "\n\n".join(
            " ".join(part.split()) for part in text.split("\n\n")
        ).replace("``", "`")

    def _secure(self) -> None:
        """Say who may ask: the scopes of a personal token come from where they are checked."""
        responses = self._spec["responses"]
        if "401" not in responses or ProblemType.NO_SESSION not in types_of(responses["401"]):
            self._spec["security"] = OPTIONAL_SECURITY.get(self._spec["operationId"], [])
            return
        self._scopes = sorted(allowed_scopes(self._method.upper(), self._path))
        self._spec["security"] = [{"session": []}, {"bearer": list(map(str, self._scopes))}]

    def _refuse(self) -> None:
        """Document every status that the operation can answer with."""
        types = self._own_refusals() | self._common_refusals()
        by_status: dict[str, set[ProblemType]] = {}
        for problem_type in types:
            by_status.setdefault(str(KINDS[problem_type].status.value), set()).add(problem_type)
        responses = self._spec["responses"]
        for status, of_status in sorted(by_status.items()):
            responses[status] = problem_response(of_status)

    def _common_refusals(self) -> set[ProblemType]:
        found = {ProblemType.INTERNAL}
        if self._path.startswith("/v1/"):
            found.add(ProblemType.UNAVAILABLE)
        if self._scopes is not None:
            found |= set(_SIGNED_IN)
            if set(self._scopes) != set(Scope):
                found.add(ProblemType.FORBIDDEN_SCOPE)
        if self._method != "get":
            found |= set(_CHANGE)
        if self._spec.get("parameters") or "requestBody" in self._spec:
            found.add(ProblemType.REQUEST_INVALID)
        return found

    def _own_refusals(self) -> set[ProblemType]:
        responses = self._spec["responses"]
        if _JSON in responses.get("422", {}).get("content", {}):
            # FastAPI's own shape, which this server never answers with.
            del responses["422"]
        found: set[ProblemType] = set()
        for response in responses.values():
            if MEDIA_TYPE in response.get("content", {}):
                found |= types_of(response)
        return found

    def _parametrize(self) -> None:
        for parameter in self._spec.get("parameters", ()):
            name, schema = parameter["name"], parameter["schema"]
            schema.pop("title", None)
            # Told once, beside the schema.
            told = schema.pop("description", None)
            for branch in schema.get("anyOf", ()):
                told = told or branch.get("description")
            examples = schema.pop("examples", None)
            if parameter["in"] == "path":
                parameter["description"], parameter["example"] = PATH_PARAMETERS[name]
                continue
            if told is not None:
                parameter.setdefault("description", told)
            known = PARAMETERS.get(name)
            parameter["example"] = examples[0] if examples else known

    def _exemplify(self) -> None:
        """Give bodies an example, put together from those of their parts."""
        asked = self._spec.get("requestBody", {}).get("content", {}).get(_JSON)
        if asked is not None:
            asked.setdefault("example", sample(asked["schema"], self._schemas))
        for status, response in self._spec["responses"].items():
            answered = response.get("content", {}).get(_JSON)
            if answered is not None and answered.get("schema"):
                self._show(answered)
            if response["description"] == "Successful Response":
                response["description"] = self._result(status)

    def _show(self, media: Json) -> None:
        """Show an example of an answer, kept once for all operations that answer so."""
        schema = media["schema"]
        if "$ref" not in schema:
            media["example"] = sample(schema, self._schemas)
            return
        name = schema["$ref"].rpartition("/")[2]
        self._examples.setdefault(name, {"value": sample(schema, self._schemas)})
        media["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}

    def _result(self, status: str) -> str:
        """Say what a success brings: what its schema says of itself."""
        content = self._spec["responses"][status].get("content", {})
        schema = content.get(_JSON, {}).get("schema", {})
        told = resolve(schema, self._schemas).get("description") if "$ref" in schema else None
        return told or ("Done" if status == "204" else "As described")

    def _link(self) -> None:
        linked = LINKS.get(self._spec["operationId"])
        if linked is not None:
            status, links = linked
            self._spec["responses"][status]["links"] = dict(links)

    def _add_headers(self) -> None:
        for status, response in self._spec["responses"].items():
            headers = response.setdefault("headers", {})
            for name, component in (
                ("X-Request-Id", "X-Request-Id"),
                *(RESPONSE_HEADERS.get(status, ()) if _is_refusal(response) else ()),
            ):
                headers[name] = {"$ref": f"#/components/headers/{component}"}


def _is_refusal(response: Json) -> bool:
    return MEDIA_TYPE in response.get("content", {})
