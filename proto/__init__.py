"""The contracts between the services, and the code generated from them."""
