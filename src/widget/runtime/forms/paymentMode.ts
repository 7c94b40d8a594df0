import { setShown } from './draw.ts';
import { createInput, type Field } from './field.ts';
import { phone } from './people.ts';
import type { Sheet } from './sheet.ts';

const modes = ['mobile', 'qrcode'] as const;
type Mode = (typeof modes)[number];

/** Only for the shop and whoever takes the payment: what tells the two apart on the wire is whether there is a number. */
const WIRE = 'customParameters[SHOPPER_paymentMode]';

function drawMode({ draw, around }: Sheet, mode: Mode): { readonly wrapper: HTMLElement; readonly radio: HTMLInputElement } {
  const radio = draw('input', `wpwl-control-radio wpwl-control-radio-${mode} wpwl-candidate-radio`, {
    type: 'radio',
    name: WIRE,
    value: mode,
  });
  const words = draw('span', '', {}, around.text(mode === 'mobile' ? 'paymentModeMobile' : 'paymentModeQrcode'));
  const label = draw('label', 'wpwl-candidate', {}, radio, words);
  return { radio, wrapper: draw('div', `wpwl-wrapper-radio wpwl-wrapper-radio-${mode}`, {}, label) };
}

/**
 * A brand that is paid with a phone: by its number, or by a code that it reads off the screen. The number is what works on every screen,
 * also on that of the phone itself, so it is what is chosen at first.
 */
export function drawPaymentMode(sheet: Sheet): readonly HTMLElement[] {
  const { draw, around, id, life } = sheet;
  const field: Field = sheet.add(createInput(sheet, { ...phone, isRequired: true }));
  const input = field.control as HTMLInputElement;
  const drawn = modes.map((mode) => ({ mode, ...drawMode(sheet, mode) }));
  const words = draw('div', 'wpwl-label wpwl-label-paymentMode', { id: `${id}_paymentMode` }, around.text('paymentMode'));
  const choice = draw('div', 'wpwl-wrapper wpwl-wrapper-paymentMode wpwl-candidates', {}, ...drawn.map(({ wrapper }) => wrapper));
  const group = draw(
    'div',
    'wpwl-group wpwl-group-paymentMode wpwl-clearfix',
    { role: 'radiogroup', 'aria-labelledby': words.id },
    words,
    choice,
  );
  for (const { mode, radio } of drawn) {
    radio.checked = mode === 'mobile';
    life.listen(radio, 'change', () => {
      const isByNumber = mode === 'mobile';
      setShown(field.group, isByNumber);
      // What is not asked for is not sent either, whatever was typed before.
      input.disabled = !isByNumber;
      if (!isByNumber) sheet.faults.clear(field);
    });
  }
  return [group, field.group];
}
