"""Speed of the engine as a service, beside an empty echo behind the same server."""
