"""The chips: they only move, so they always sum to zero.

Events of the tables become transfers between accounts (`posting`), kept with the events
themselves (`store`). Balances, matches and standings are projections of them, which `audit`
rebuilds and compares. Reads are served over gRPC (`service`).
"""
