"""How fast Riverboat is, each figure beside its peers or its limit in the same run."""
