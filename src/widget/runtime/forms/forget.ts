import { brandName } from './brandNames.ts';
import { setShown } from './draw.ts';
import type { Sheet } from './sheet.ts';
import type { StoredRow } from './storedRow.ts';

/** Asks the gateway to forget stored details of this checkout. Whether it did. */
async function forget({ around, life }: Sheet, registrationId: string): Promise<boolean> {
  const { origin, checkoutId } = around.given;
  try {
    const answer = await around.window.fetch(`${origin}/v1/checkouts/${encodeURIComponent(checkoutId)}/forget`, {
      method: 'POST',
      body: new URLSearchParams({ registrationId }),
      signal: life.signal,
    });
    return answer.status === 204;
  } catch {
    return false;
  }
}

/** A quiet button beside stored details, and the question before they are gone. */
export function createRemoval(sheet: Sheet, row: StoredRow, onGone: () => void): void {
  const { around, draw } = sheet;
  if (!around.flag(around.options().removeCards, false)) return;
  const { brand, ends, id } = row.registration;
  const named = { brand: brandName(brand), ends };
  const ask = draw(
    'button',
    'wpwl-quiet wpwl-remove',
    { type: 'button', 'aria-label': `${around.text('removeCard')}: ${around.text('cardEnds', named)}` },
    around.text('removeCard'),
  );
  const yes = draw('button', 'wpwl-quiet wpwl-remove-yes', { type: 'button' }, around.text('removeYes'));
  const no = draw('button', 'wpwl-quiet wpwl-remove-no', { type: 'button' }, around.text('keepIt'));
  const words = draw('p', 'wpwl-question-text', { id: `${sheet.id}_ask${id}` }, around.text('removeQuestion', named));
  const question = draw('div', 'wpwl-question', { role: 'group', 'aria-labelledby': words.id }, words, yes, no);
  setShown(question, false);
  const open = (isOpen: boolean): void => {
    words.textContent = around.text('removeQuestion', named);
    setShown(question, isOpen);
    setShown(ask, !isOpen);
    (isOpen ? no : ask).focus();
  };
  ask.addEventListener('click', () => open(true));
  no.addEventListener('click', () => open(false));
  question.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') open(false);
  });
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    const isGone = await forget(sheet, id);
    yes.disabled = false;
    if (!isGone) {
      words.textContent = around.text('networkTrouble');
      sheet.announce(around.text('networkTrouble'));
      return;
    }
    onGone();
    sheet.announce(around.text('removed'));
    sheet.form.querySelector<HTMLElement>('input:checked, button')?.focus();
  });
  row.group.querySelector('label')?.after(ask);
  row.group.append(question);
}
