"""The base of everything that the server answers with."""

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A response body, or a part of one: what is not documented is not sent."""

    model_config = ConfigDict(extra="forbid")
