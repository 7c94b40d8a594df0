import { brandName } from './brandNames.ts';
import type { Sheet } from './sheet.ts';
import { type Loose, word } from './walletDevice.ts';

/** Words of Apple's buttons come into class names and styles. */
const look = (value: unknown, otherwise: string): string => (/^[a-z-]+$/.test(String(value)) ? String(value) : otherwise);

/** Safari draws the button itself, in the language of the element. */
function drawn(button: HTMLElement, { buttonStyle, style, buttonType }: Loose): void {
  button.replaceChildren();
  for (const [name, value] of [
    ['-webkit-appearance', '-apple-pay-button'],
    ['-apple-pay-button-style', look(buttonStyle ?? style, 'black').replace('with-line', 'outline')],
    ['-apple-pay-button-type', look(buttonType, 'plain')],
  ] as const)
    button.style.setProperty(name, value);
}

/** The button of a wallet: no submit button, so that a page that looks for those of cards does not find it. */
export function drawWalletButton({ draw, around }: Pick<Sheet, 'draw' | 'around'>, brand: string, options: Loose): HTMLElement {
  const { document, language } = around;
  const text = around.text('payWith', { brand: brandName(brand) });
  if (brand !== 'APPLEPAY')
    return draw(
      'button',
      `wpwl-button wpwl-button-brand wpwl-button-${brand}`,
      { type: 'button', 'aria-label': text },
      draw('span', 'wpwl-button-text', {}, text),
    );
  const style = look(options.buttonStyle ?? options.style, 'black');
  const classes = `wpwl-apple-pay-button wpwl-apple-pay-button-${style.replace('outline', 'with-line')}`;
  if (options.buttonSource === 'js' && customElements.get('apple-pay-button')) {
    const theirs = document.createElement('apple-pay-button');
    theirs.className = classes;
    theirs.setAttribute('buttonstyle', style.replace('with-line', 'outline'));
    theirs.setAttribute('type', look(options.buttonType, 'plain'));
    theirs.setAttribute('locale', word(around.options().locale, language));
    return theirs;
  }
  const button = draw(
    'button',
    `wpwl-button wpwl-button-brand wpwl-button-APPLEPAY ${classes}`,
    { type: 'button', 'aria-label': text, lang: language },
    draw('span', 'wpwl-button-text', {}, text),
  );
  if (CSS.supports('-webkit-appearance: -apple-pay-button')) drawn(button, options);
  return button;
}
