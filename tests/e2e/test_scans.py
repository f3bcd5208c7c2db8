"""Scans and photographs in a browser, where the extra is installed; without it: `test_check.py`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from simhash_core.text.recognition import recognition_installed
from tests.e2e.steps import WORK, check_files, check_id, put_in

ROOT = Path(__file__).resolve().parents[2]
CLASS = ROOT / "sample_docs" / "sources" / "class" / "zh"


@pytest.mark.skipif(not recognition_installed(), reason="needs leitong[ocr]")
def test_a_scan_is_read_and_compared(visit, page, ready):
    visit("/")
    texts = [CLASS / name for name in ("罗天佑.txt", "马晓峰.txt", "scan.jpg")]
    put_in(page, texts[-1])
    expect(page.locator("table").first).to_contain_text("图片识别", timeout=WORK)
    check_files(page, ready, *texts[:-1])
    key = check_id(page)
    by_name = page.get_by_text("平均把握").first
    visit(f"/results?text=0&check={key}")
    expect(by_name).to_be_visible()
    visit(f"/results?pair=0,1&check={key}")
    expect(page.locator(".k-identical").first).to_be_visible(timeout=WORK)
    expect(page.get_by_text(re.compile("[甲乙]由图片识别"))).to_be_visible()
