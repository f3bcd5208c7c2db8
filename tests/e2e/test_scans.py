"""Scans and photographs: read where the extra is installed, else named with what to install."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from simhash_core.text.recognition import recognition_installed

ROOT = Path(__file__).resolve().parents[2]
CLASS = ROOT / "sample_docs" / "sources" / "class" / "zh"
WORK = 120_000
needs_extra = pytest.mark.skipif(not recognition_installed(), reason="needs leitong[ocr]")


def put_in(page, ready, *files: Path) -> None:
    page.goto("/")
    ready(page)
    page.locator(".st-key-files-way input[type=file]").set_input_files(list(files))
    expect(page.locator("table").first).to_contain_text(files[-1].name, timeout=WORK)


@pytest.mark.skipif(recognition_installed(), reason="leitong[ocr] is installed")
def test_a_scan_without_the_extra_says_that_it_is_one(page, ready) -> None:
    put_in(page, ready, CLASS / "罗天佑.txt", CLASS / "scan.jpg")

    expect(page.locator("table").first).to_contain_text("扫描件")


@needs_extra
def test_a_scan_is_read_and_compared(page, ready) -> None:
    put_in(page, ready, CLASS / "罗天佑.txt", CLASS / "马晓峰.txt", CLASS / "scan.jpg")

    expect(page.locator("table").first).to_contain_text("图片识别")
    page.get_by_role("button", name=re.compile("开始检测")).click(timeout=WORK)
    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
    ready(page)
    (check,) = parse_qs(urlsplit(page.url).query)["check"]
    page.goto(f"/document?d=0&check={check}")
    ready(page)
    expect(page.get_by_text("平均把握").first).to_be_visible()
    page.goto(f"/compare?a=0&b=1&check={check}")
    ready(page)
    expect(page.locator(".k-identical").first).to_be_visible(timeout=WORK)
    expect(page.get_by_text("甲由图片识别")).to_be_visible()
