"""What two services need, and nothing else."""
