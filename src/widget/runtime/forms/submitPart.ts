import type { Environment } from '../contract.ts';
import type { FormBuilder } from './formBuilder.ts';
import { watchStyle } from './frameStyle.ts';

/** The text of the button: the action and the amount. The shop's own text comes first. */
function submitText(environment: Environment): string {
  const options = environment.options();
  if (environment.flag(options.useSummaryPage, false)) return environment.text('nextStep');
  if (typeof options.labels?.submit === 'string') return options.labels.submit;
  if (environment.session.endpoint === '/registration') return environment.text('storeOnly');
  return environment.amountText ? environment.text('payAmount', { amount: environment.amountText }) : environment.text('submit');
}

/** Keeps the accessible name equal to the text, which pages may change. */
function keepName({ lifetime }: FormBuilder, button: HTMLButtonElement): void {
  const observer = new MutationObserver(() => {
    const text = button.textContent?.trim() ?? '';
    if (text !== '' && text !== button.getAttribute('aria-label')) button.setAttribute('aria-label', text);
  });
  observer.observe(button, { childList: true, characterData: true, subtree: true });
  lifetime.onEnd(() => observer.disconnect());
}

/** The group of the button, with an optional note above it. */
export function drawSubmit(builder: FormBuilder, note: string | null = null): HTMLElement {
  const { environment, draw } = builder;
  const text = submitText(environment);
  const button = draw('button', 'wpwl-button wpwl-button-pay', { type: 'submit', name: 'pay', 'aria-label': text }, text);
  keepName(builder, button);
  const hint = note ?? (environment.session.endpoint === '/registration' ? environment.text('storeOnlyHint') : null);
  const wrapper = draw('div', 'wpwl-wrapper wpwl-wrapper-submit', {}, button);
  keepLegible(builder, button, wrapper);
  if (hint !== null) wrapper.prepend(draw('p', 'wpwl-note', {}, hint));
  return draw('div', 'wpwl-group wpwl-group-submit wpwl-clearfix', {}, wrapper);
}

const CONTRAST_MIN = 4.5;
const INKS = ['#ffffff', '#14181f'] as const;

type Colour = readonly [red: number, green: number, blue: number];

/** The opaque colours in a computed style, gradients included. */
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
 * Keeps the text of a button legible where the page changes its background but not its colour. The variable is set on the
 * element around the button, because pages change the button's own attributes.
 */
function keepLegible({ lifetime }: FormBuilder, button: HTMLElement, wrapper: HTMLElement): void {
  const look = (): void => {
    const before = wrapper.style.getPropertyValue('--tp-on-button');
    wrapper.style.removeProperty('--tp-on-button');
    const { backgroundColor, backgroundImage, color } = getComputedStyle(button);
    const [ink] = coloursIn(color);
    const grounds = coloursIn(`${backgroundColor} ${backgroundImage}`);
    // The text of a busy button is transparent.
    if (!ink && before) wrapper.style.setProperty('--tp-on-button', before);
    const least = (one: Colour): number => Math.min(...grounds.map((ground) => contrast(one, ground)));
    if (!ink || grounds.length === 0 || least(ink) >= CONTRAST_MIN) return;
    const [best = INKS[0]] = INKS.toSorted((one, other) => least(hex(other)) - least(hex(one)));
    wrapper.style.setProperty('--tp-on-button', best);
  };
  watchStyle(button, lifetime.signal, () => lifetime.after(0, look));
  lifetime.after(0, look);
  // Pages change classes shortly after onReady, and some let colours change slowly.
  lifetime.after(500, look);
}
