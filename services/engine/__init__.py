"""The rules over gRPC."""
