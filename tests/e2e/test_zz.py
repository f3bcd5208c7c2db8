import os, re
from pathlib import Path
import pytest
from playwright.sync_api import expect
from simhash_core.storage import Project
from simhash_core.result import list_rows
from simhash_core.cases import case_rows
from tests.e2e.steps import PHONE, WORK, is_cut_off, picture

def result(lang):
    return Project.open(Path(f'/tmp/w_r_run/{lang}.leitong')).result()

def shot(page, name): page.screenshot(path=f'/tmp/w_r_run/{name}.png')

@pytest.mark.browser_context_args(locale="en-GB", viewport={"width":1440,"height":900})
def test_compare(visit, page, keep, ready):
    errors=[]; page.on("pageerror", lambda e: errors.append(str(e))); page.on("console", lambda m: errors.append(m.text) if m.type=="error" else None)
    r=result('en'); key=keep(r, name="10C English · Reading response")
    rows=case_rows(r).tolist(); print(len(rows))
    for n,row in enumerate(rows[:6]):
        a,b=int(r.table.pairs.left[row]),int(r.table.pairs.right[row])
        visit(f"/compare?a={a}&b={b}&check={key}")
        expect(page.locator(".reader .text p").first).to_be_visible(timeout=WORK)
        ready(page); shot(page, f"cmp{n}")
    print(errors)

@pytest.mark.parametrize("lang,locale", [("en","en-GB"),("zh","zh-CN")])
def test_desk(browser, browser_context_args, base_url, essays_checked, lang, locale, data_folder):
    import json
    from simhash_core.storage import Shelf
    ctx=browser.new_context(**{**browser_context_args,"locale":locale,"viewport":{"width":1440,"height":900},"color_scheme":"dark" if lang=="en" else "light"})
    page=ctx.new_page()
    from tests.e2e.conftest import _remember
    held,file=essays_checked
    _remember(page,held)
    r=result(lang)
    project=Shelf(file.parent).create(name={"en":"10C English · Reading response","zh":"高一（3）班 · 《故乡》读书报告"}[lang]); project.save_documents(r.documents); project.save_result(r); key=project.id; project.close()
    errors=[]; page.on("pageerror", lambda e: errors.append(str(e))); page.on("console", lambda m: errors.append(m.text) if m.type=="error" else None)
    bytes_=[]
    page.on("websocket", lambda ws: ws.on("framereceived", lambda f: bytes_.append(len(f) if isinstance(f,(bytes,str)) else 0)))
    page.goto(f"{base_url}/review?check={key}")
    try:
        expect(page.locator(".desk .row").first).to_be_visible(timeout=60000)
    finally:
        page.wait_for_timeout(1500); shot(page, f"desk-{lang}-0"); print(errors)
    print('first', sum(bytes_)); 
    n=page.locator(".desk .row").count(); print('cases',n)
    for i,k in enumerate(["2","Enter","j","j","j","j","c","n","3","Enter","k","l"]):
        bytes_.clear(); page.keyboard.press(k); page.wait_for_timeout(900); print(k, sum(bytes_), len(bytes_)); shot(page, f"desk-{lang}-{i+1}")
    page.set_viewport_size(PHONE); page.wait_for_timeout(800); shot(page, f"desk-{lang}-390"); print('cut', is_cut_off(page))
    page.set_viewport_size({"width":1440,"height":900})
    for i in range(40):
        if page.locator(".headline:visible").count(): break
        page.keyboard.press("c"); page.wait_for_timeout(300)
        if page.locator(".follow[role=alert]").count(): page.keyboard.press("c"); page.wait_for_timeout(300)
        page.keyboard.press("Enter"); page.wait_for_timeout(500)
    page.wait_for_timeout(1500); shot(page, f"desk-{lang}-end"); print(errors)
