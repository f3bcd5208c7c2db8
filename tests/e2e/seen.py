"""What a person sees or hears of a page: its text, names and hints, with the language of each."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

_LISTED = """() => {
  const listed = [];
  const NAMES = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'aria-valuetext'];
  const language = (node) => {
    for (let at = node; at; at = at.parentNode || at.host) {
      if (at.lang) return at.lang;
    }
    return '';
  };
  const visit = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        const holder = node.parentElement || root.host;
        const words = node.nodeValue.trim();
        // a drawing is named in letters
        const drawn = () => getComputedStyle(holder).fontFamily.includes('Material Symbols');
        if (words && holder.checkVisibility() && !drawn()) listed.push([words, language(holder)]);
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        if (['STYLE', 'SCRIPT', 'NOSCRIPT', 'HEAD'].includes(node.tagName)) continue;
        if (node.checkVisibility()) {
          for (const name of NAMES) {
            const words = node.getAttribute(name)?.trim();
            if (words) listed.push([words, language(node)]);
          }
          if (node.tagName === 'OPTION') listed.push([node.label, language(node)]);
        }
        visit(node);
        if (node.shadowRoot) visit(node.shadowRoot);
      }
    }
  };
  visit(document);
  return listed;
}"""


@dataclass(frozen=True, slots=True)
class Words:
    """A piece of text of a page; `language` is the `lang` it stands in."""

    text: str
    language: str


def words_of(page: Page) -> list[Words]:
    """Return every text, name and hint of a page, of its components too."""
    return [Words(text, language) for text, language in page.evaluate(_LISTED)]
