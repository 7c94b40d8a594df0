import type { Surroundings } from '../contract.ts';
import { keepLegible } from './buttonInk.ts';
import type { Sheet } from './sheet.ts';

/** What the button says: what happens, and how much it costs. The shop's own word for it comes first. */
export function submitText(around: Surroundings): string {
  const options = around.options();
  if (around.flag(options.useSummaryPage, false)) return around.text('nextStep');
  if (typeof options.labels?.submit === 'string') return options.labels.submit;
  if (around.session.endpoint === '/registration') return around.text('storeOnly');
  return around.amountText ? around.text('payAmount', { amount: around.amountText }) : around.text('submit');
}

/** Keeps the accessible name equal to the text, which pages may change. */
function keepName({ life }: Sheet, button: HTMLButtonElement): void {
  const observer = new MutationObserver(() => {
    const text = button.textContent?.trim() ?? '';
    if (text !== '' && text !== button.getAttribute('aria-label')) button.setAttribute('aria-label', text);
  });
  observer.observe(button, { childList: true, characterData: true, subtree: true });
  life.onEnd(() => observer.disconnect());
}

/** The group of the button, with a sentence above it where one is due. */
export function drawSubmit(sheet: Sheet, note: string | null = null): HTMLElement {
  const { around, draw } = sheet;
  const text = submitText(around);
  const button = draw('button', 'wpwl-button wpwl-button-pay', { type: 'submit', name: 'pay', 'aria-label': text }, text);
  keepName(sheet, button);
  const hint = note ?? (around.session.endpoint === '/registration' ? around.text('storeOnlyHint') : null);
  const wrapper = draw('div', 'wpwl-wrapper wpwl-wrapper-submit', {}, button);
  keepLegible(sheet, button, wrapper);
  if (hint !== null) wrapper.prepend(draw('p', 'wpwl-note', {}, hint));
  return draw('div', 'wpwl-group wpwl-group-submit wpwl-clearfix', {}, wrapper);
}
