"""Where the rooms meet: documents to a result, two texts to a comparison."""
