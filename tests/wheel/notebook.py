# %% Articles as a table: an identifier, a headline, a date, a text
from pathlib import Path

import pandas as pd

import leitong as lt

flood = "It rained all night, and in the morning the river stood at the third step. " * 6
mill = "Nobody came to the old mill, for the road over the hill was closed until the spring. " * 6
articles = pd.DataFrame(
    {
        "id": ["post-1", "news-7", "star-3"],
        "headline": ["Flood", "The river rises", "The old mill"],
        "date": pd.to_datetime(["2024-05-01", "2024-05-03", None]),
        "body": [flood, "Our reporter writes: " + flood, mill],
    }
)

# %% Which of them share text
result = lt.check(articles, name="id", settings=lt.Settings(preset="reposts"), language="en")
pairs = result.pairs().to_pandas()
assert pairs[["a", "b"]].values.tolist() == [["post-1", "news-7"]], pairs

# %% Where, in both texts, and beside the headlines of the table
found = result.passages("post-1", "news-7").to_pandas()
passages = found.merge(articles, left_on="key_b", right_on="id")
assert passages["headline"].tolist() == ["The river rises"], passages
assert "third step" in passages["text_b"][0]

# %% Which was first, what a stricter threshold leaves, and what a notebook shows
versions = lt.reposts(articles, name="id").versions()
assert [row["name"] for row in versions] == ["post-1", "news-7"]
assert result.at(0).threshold == 0 and "news-7" in result._repr_html_()

# %% A report to hand in
print(result.report(Path("articles.html"), title="Articles").stat().st_size > 10_000)
