import { watchLook } from './frameStyle.ts';
import type { Sheet } from './sheet.ts';

const CONTRAST_MIN = 4.5;
const INKS = ['#ffffff', '#14181f'] as const;

type Colour = readonly [red: number, green: number, blue: number];

/** The opaque colours in a computed style, those of a gradient included. */
const coloursIn = (text: string): readonly Colour[] =>
  [...text.matchAll(/rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)/g)]
    .filter(([, , , , alpha = '1']) => Number(alpha) > 0.5)
    .map(([, red, green, blue]) => [Number(red), Number(green), Number(blue)]);

/** Relative luminance as WCAG defines it. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const hex = (text: string): Colour => {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/**
 * Keeps the words of a button legible where the page gives it another ground and no colour of its own. The variable stands on the
 * element around the button: the button's own attributes are the page's to change.
 */
export function keepLegible({ life }: Sheet, button: HTMLElement, around: HTMLElement): void {
  const look = (): void => {
    const before = around.style.getPropertyValue('--tp-on-button');
    around.style.removeProperty('--tp-on-button');
    const { backgroundColor, backgroundImage, color } = getComputedStyle(button);
    const [ink] = coloursIn(color);
    const grounds = coloursIn(`${backgroundColor} ${backgroundImage}`);
    // The words of a button at work are transparent.
    if (!ink && before) around.style.setProperty('--tp-on-button', before);
    const least = (one: Colour): number => Math.min(...grounds.map((ground) => contrast(one, ground)));
    if (!ink || grounds.length === 0 || least(ink) >= CONTRAST_MIN) return;
    const [best = INKS[0]] = INKS.toSorted((one, other) => least(hex(other)) - least(hex(one)));
    around.style.setProperty('--tp-on-button', best);
  };
  watchLook(button, life.signal, () => life.after(0, look));
  life.after(0, look);
  // Pages change classes shortly after onReady, and some let colours change slowly.
  life.after(500, look);
}
