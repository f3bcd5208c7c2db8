"""The weightings that the laboratories offer, from the recommended one to the textbook ones."""

LAB_WEIGHTINGS = ("background", "tf", "uniform", "logtfidf", "tfidf", "levels")
