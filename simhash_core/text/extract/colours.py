"""Whether letters stand out from what is behind them."""

from __future__ import annotations

Colour = tuple[int, int, int]  # red, green, blue, 0 to 255

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

_LEAST_CONTRAST = 1.25  # readable text has 4.5 (WCAG 2.2, 1.4.3); grey E6E6E6 on white has 1.25
_SAME_HUE = 0x40  # red on green may have no contrast of brightness and is seen
_PALE_CONTRAST, _PALE = 1.1, 0.8  # both pale and that near: yellow on white


def of_hex(text: str) -> Colour | None:
    """Return the colour of six hexadecimal digits; None for anything else."""
    try:
        red, green, blue = bytes.fromhex(text)
    except ValueError:
        return None
    return red, green, blue


def is_alike(colour: Colour, ground: Colour) -> bool:
    """Whether letters of a colour cannot be read on a ground."""
    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    contrast = (light + 0.05) / (dark + 0.05)
    if contrast < _PALE_CONTRAST and dark > _PALE:
        return True
    apart = max(abs(a - b) for a, b in zip(colour, ground, strict=True))
    return contrast < _LEAST_CONTRAST and apart <= _SAME_HUE


def luminance(colour: Colour) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.2)."""
    shares = (channel / 255 for channel in colour)
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def over(colour: Colour, ground: Colour, alpha: float) -> Colour:
    """Return what is seen of a colour that covers a ground in part."""
    red, green, blue = (
        round(alpha * a + (1 - alpha) * b) for a, b in zip(colour, ground, strict=True)
    )
    return red, green, blue
