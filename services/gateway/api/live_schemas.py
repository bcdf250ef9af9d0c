"""What the server answers about live updates."""

from pydantic import ConfigDict, Field

from services.gateway.api.shape import Shape


class TicketReply(Shape):
    """A ticket that opens one socket."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"ticket": "2c0uZ5xNw3yVbqk8h1mT7fJdR4sLpA6eGoXiYtKz", "expires_in": 30}]
        }
    )

    ticket: str = Field(description="Send it once, as `/v1/ws?ticket=`")
    expires_in: int = Field(description="Seconds until it is worth nothing", ge=0)
