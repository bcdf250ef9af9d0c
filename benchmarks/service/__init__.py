"""Speed of the engine as a service, beside an echo behind the same server."""
