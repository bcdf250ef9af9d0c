"""The log of what happened at the tables: one port, an embedded adapter and Kafka's.

A producer appends to its `outbox` in the transaction that makes the event true. From there
either a consumer tails the outbox itself (`embedded`), or the `relay` publishes it to Kafka
and consumers read the topic (`kafka`). Delivery is at least once, in order for each key.
"""
