"""One module an engine or evaluator; each runs in a process of its own (`benchmarks.subject`).

Their licences differ, so nothing here is ever imported by the product.
"""
