"""What the sources describe, beside the product: their items, structures and profiles."""
