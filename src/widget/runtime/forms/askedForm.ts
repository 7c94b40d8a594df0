import { needsBic } from '../../../spec/sepa.ts';
import type { FormKind, WidgetBrand } from '../../../spec/widget.ts';
import type { Hooks } from '../../options.ts';
import type { PaymentForm, Surroundings } from '../contract.ts';
import { createAsked } from './asks.ts';
import { brandName } from './brandNames.ts';
import { setShown } from './draw.ts';
import { createBilling, createPersonal } from './extras.ts';
import { createBox, createInput, type Field, isPageControl, markOptional } from './field.ts';
import { phone } from './personFields.ts';
import { createSheet, finish, type Sheet } from './sheet.ts';
import { drawSubmit } from './submitPart.ts';

const modes = ['mobile', 'qrcode'] as const;
type Mode = (typeof modes)[number];

/** Only for the shop and the acquirer: what tells the two apart on the wire is whether there is a number. */
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
function drawPaymentMode(sheet: Sheet): readonly HTMLElement[] {
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

type AskedKind = Exclude<FormKind, 'card' | 'wallet'>;

const hooks: Readonly<Record<AskedKind, keyof Hooks>> = {
  directDebit: 'onBeforeSubmitDirectDebit',
  onlineTransfer: 'onBeforeSubmitOnlineTransfer',
  virtualAccount: 'onBeforeSubmitVirtualAccount',
  invoice: 'onBeforeSubmitInvoice',
  prepayment: 'onBeforeSubmitPrepayment',
  giftCard: 'onBeforeSubmitGiftCard',
};

const account = ['bankAccount.holder', 'bankAccount.iban'];
const BIC = 'bankAccount.bic';

/** What a form always asks for, and in which order it asks: the account first, then the person. */
const wiresOf = ({ form, asks }: WidgetBrand): readonly string[] => [
  ...new Set([...(form === 'directDebit' ? [...account, BIC] : []), ...asks]),
];

/** The BIC is asked for only where a bank does not find the account by its IBAN alone, or where the shop wants to show it. */
function drawBic(sheet: Sheet, isAlways: boolean): HTMLElement {
  const { around, form, life } = sheet;
  const isShown = isAlways || around.flag(around.options().displayBic, false);
  let isNeeded = isAlways;
  const field = sheet.add(createAsked(sheet, '', BIC, () => isNeeded) as Field);
  const control = field.control as HTMLInputElement;
  const settle = (): void => {
    const iban = form.querySelector<HTMLInputElement>('input[type=hidden][name="bankAccount.iban"]')?.value ?? '';
    isNeeded = isAlways || (iban !== '' && needsBic(iban));
    markOptional(sheet, field.group, !isNeeded);
    if (!isShown && !isNeeded) {
      control.value = '';
      sheet.faults.clear(field);
    }
    setShown(field.group, isShown || isNeeded);
  };
  settle();
  for (const type of ['input', 'change']) life.listen(form, type, settle);
  life.listen(form, 'submit', settle, true);
  return field.group;
}

/** The country of a direct debit is the first two letters of the account. */
function followIban({ form, life, setHidden }: Sheet): void {
  const settle = (): void => {
    const iban = form.querySelector<HTMLInputElement>('input[type=hidden][name="bankAccount.iban"]')?.value ?? '';
    setHidden('bankAccount.country', iban.slice(0, 2));
  };
  life.listen(form, 'focusout', settle);
  life.listen(form, 'submit', settle, true);
  life.listen(form, 'input', settle);
}

/** The brand as it is seen above fields. */
function drawHead({ draw, around }: Sheet, { name: brand, form }: WidgetBrand): HTMLElement {
  return draw(
    'div',
    'wpwl-group wpwl-group-brand wpwl-group-head wpwl-clearfix',
    {},
    draw('div', `wpwl-brand wpwl-brand-${brand}`, { 'aria-hidden': 'true' }),
    draw('div', 'wpwl-brand-name', {}, form === 'giftCard' ? around.text('giftCard') : brandName(brand)),
  );
}

/** A brand that asks for nothing is its own button. */
function drawBrandButton({ draw, around }: Sheet, brand: string): HTMLElement {
  const text = around.text('continueWith', { brand: brandName(brand) });
  return draw(
    'div',
    'wpwl-group wpwl-group-submit wpwl-group-button wpwl-clearfix',
    {},
    draw(
      'div',
      'wpwl-wrapper wpwl-wrapper-submit wpwl-wrapper-brand',
      {},
      draw(
        'button',
        `wpwl-button wpwl-button-brand wpwl-button-${brand}`,
        { type: 'submit', name: 'pay', 'aria-label': text },
        draw('span', `wpwl-brand wpwl-brand-${brand}`, { 'aria-hidden': 'true' }),
        draw('span', 'wpwl-button-text', {}, text),
      ),
    ),
  );
}

function noteOf({ session, text }: Surroundings, { form, name }: WidgetBrand): string | null {
  if (session.endpoint === '/registration') return null;
  if (form === 'invoice') return text('invoiceTerms', { merchant: session.merchantName });
  if (form === 'prepayment') return text('prepaymentHint');
  return form === 'onlineTransfer' || form === 'virtualAccount' ? text('redirectHint', { brand: brandName(name) }) : null;
}

/** Consent to a debit is asked for in so many words, and so is storing the account. */
function drawBoxes(sheet: Sheet, form: FormKind): readonly HTMLElement[] {
  const { around } = sheet;
  if (form !== 'directDebit') return [];
  const mandate = around.text('mandateHint', { merchant: around.session.merchantName });
  const boxes = [createBox(sheet, { name: 'mandate', wire: null, label: mandate, isRequired: true })];
  if (around.flag(around.options().saveCard, false) && around.session.endpoint === '/payment') {
    const label = around.text('saveAccount');
    boxes.unshift(createBox(sheet, { name: 'createRegistration', wire: 'createRegistration', label, isRequired: false }));
  }
  return boxes.map((box) => sheet.add(box).group);
}

/** All groups between the brand and the button. */
function drawFields(sheet: Sheet, brand: WidgetBrand): readonly HTMLElement[] {
  const wires = wiresOf(brand);
  const groups = wires.flatMap((wire) => {
    if (brand.form === 'directDebit' && wire === 'bankAccount.country') return [];
    if (wire === BIC) return [drawBic(sheet, !wires.includes('bankAccount.iban'))];
    if (brand.form === 'virtualAccount' && wire === 'customer.mobile') return drawPaymentMode(sheet);
    const field = createAsked(sheet, brand.name, wire);
    return field ? [sheet.add(field).group] : [];
  });
  const hasForm = groups.length > 0 || brand.form === 'invoice' || brand.form === 'prepayment';
  const address = wires.filter((wire) => wire.startsWith('billing.'));
  const billing = address.length > 0 || hasForm ? createBilling(sheet, address) : null;
  const personal = hasForm ? createPersonal(sheet, wires) : [];
  return [...groups, ...personal, ...(billing ? [billing] : []), ...drawBoxes(sheet, brand.form)];
}

/** What was typed unseen goes with one payment and not into the next. */
function forgetCodes({ fields }: Sheet): void {
  for (const { control } of fields) if (isPageControl(control) && control.type === 'password') control.value = '';
}

/** A form of one brand that is no card: what it asks for and a button, or a button alone. */
export function createAskedForm(around: Surroundings, brand: WidgetBrand & { readonly form: AskedKind }): PaymentForm {
  const { form, name } = brand;
  const key = form === 'directDebit' ? form : `${form}-${name}`;
  const formClasses = form === 'directDebit' ? '' : `wpwl-form-${form}`;
  const sheet = createSheet(around, { key, formClasses, action: `submit-payment-${form}` });
  sheet.setHidden('paymentBrand', name);
  const groups = drawFields(sheet, brand);
  const isButton = groups.length === 0 && form !== 'invoice' && form !== 'prepayment';
  if (isButton) sheet.form.append(drawBrandButton(sheet, name));
  else sheet.form.append(drawHead(sheet, brand), ...groups, drawSubmit(sheet, noteOf(around, brand)));
  if (groups.length > 0) sheet.form.classList.add('wpwl-form-has-inputs');
  if (form === 'directDebit') followIban(sheet);
  const isInline = form === 'virtualAccount' && (around.options().inlineFlow ?? []).includes(name);
  return finish(sheet, {
    key,
    brands: [name],
    beforeHook: isInline ? 'onBeforeSubmitInlineVirtualAccount' : hooks[form],
    renew: () => forgetCodes(sheet),
  });
}
