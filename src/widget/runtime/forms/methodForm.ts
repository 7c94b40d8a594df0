import { needsBic } from '../../../spec/sepa.ts';
import type { FormKind, WidgetBrand } from '../../../spec/widget.ts';
import type { Hooks } from '../../options.ts';
import type { Environment, PaymentForm } from '../contract.ts';
import { brandName } from './brandNames.ts';
import { setShown } from './draw.ts';
import { createBox, createInput, markOptional } from './field.ts';
import { createFormBuilder, type Field, type FormBuilder, finishForm, isPageControl } from './formBuilder.ts';
import { createBilling, createPersonal, phone } from './personFields.ts';
import { createRequiredField } from './requiredFields.ts';
import { drawSubmit } from './submitPart.ts';

const modes = ['mobile', 'qrcode'] as const;
type Mode = (typeof modes)[number];

/** Only for the shop and the acquirer: on the wire, the presence of a number tells the two modes apart. */
const WIRE = 'customParameters[SHOPPER_paymentMode]';

function drawMode(
  { draw, environment }: FormBuilder,
  mode: Mode,
): { readonly wrapper: HTMLElement; readonly radio: HTMLInputElement } {
  const radio = draw('input', `wpwl-control-radio wpwl-control-radio-${mode} wpwl-candidate-radio`, {
    type: 'radio',
    name: WIRE,
    value: mode,
  });
  const words = draw('span', '', {}, environment.text(mode === 'mobile' ? 'paymentModeMobile' : 'paymentModeQrcode'));
  const label = draw('label', 'wpwl-candidate', {}, radio, words);
  return { radio, wrapper: draw('div', `wpwl-wrapper-radio wpwl-wrapper-radio-${mode}`, {}, label) };
}

/**
 * A brand that is paid with a phone: by its number, or by a code that it reads off the screen. The number is what works on every screen,
 * also on that of the phone itself, so the number is the default.
 */
function drawPaymentMode(builder: FormBuilder): readonly HTMLElement[] {
  const { draw, environment, id, lifetime } = builder;
  const field: Field = builder.add(createInput(builder, { ...phone, isRequired: true }));
  const input = field.control as HTMLInputElement;
  const drawn = modes.map((mode) => ({ mode, ...drawMode(builder, mode) }));
  const words = draw('div', 'wpwl-label wpwl-label-paymentMode', { id: `${id}_paymentMode` }, environment.text('paymentMode'));
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
    lifetime.listen(radio, 'change', () => {
      const isByNumber = mode === 'mobile';
      setShown(field.group, isByNumber);
      // A hidden field is not sent, whatever was typed before.
      input.disabled = !isByNumber;
      if (!isByNumber) builder.faults.clear(field);
    });
  }
  return [group, field.group];
}

type MethodKind = Exclude<FormKind, 'card' | 'wallet'>;

const hooks: Readonly<Record<MethodKind, keyof Hooks>> = {
  directDebit: 'onBeforeSubmitDirectDebit',
  onlineTransfer: 'onBeforeSubmitOnlineTransfer',
  virtualAccount: 'onBeforeSubmitVirtualAccount',
  invoice: 'onBeforeSubmitInvoice',
  prepayment: 'onBeforeSubmitPrepayment',
  giftCard: 'onBeforeSubmitGiftCard',
};

const account = ['bankAccount.holder', 'bankAccount.iban'];
const BIC = 'bankAccount.bic';

/** The fields of a form in their order: the account first, then the person. */
const wiresOf = ({ form, asks }: WidgetBrand): readonly string[] => [
  ...new Set([...(form === 'directDebit' ? [...account, BIC] : []), ...asks]),
];

/** The BIC is asked for only where a bank does not find the account by its IBAN alone, or where the shop wants to show it. */
function drawBic(builder: FormBuilder, isAlways: boolean): HTMLElement {
  const { environment, form, lifetime } = builder;
  const isShown = isAlways || environment.flag(environment.options().displayBic, false);
  let isNeeded = isAlways;
  const field = builder.add(createRequiredField(builder, '', BIC, () => isNeeded) as Field);
  const control = field.control as HTMLInputElement;
  const sync = (): void => {
    const iban = form.querySelector<HTMLInputElement>('input[type=hidden][name="bankAccount.iban"]')?.value ?? '';
    isNeeded = isAlways || (iban !== '' && needsBic(iban));
    markOptional(builder, field.group, !isNeeded);
    if (!isShown && !isNeeded) {
      control.value = '';
      builder.faults.clear(field);
    }
    setShown(field.group, isShown || isNeeded);
  };
  sync();
  for (const type of ['input', 'change']) lifetime.listen(form, type, sync);
  lifetime.listen(form, 'submit', sync, true);
  return field.group;
}

/** The country of a direct debit is the first two letters of the account. */
function followIban({ form, lifetime, setHidden }: FormBuilder): void {
  const sync = (): void => {
    const iban = form.querySelector<HTMLInputElement>('input[type=hidden][name="bankAccount.iban"]')?.value ?? '';
    setHidden('bankAccount.country', iban.slice(0, 2));
  };
  lifetime.listen(form, 'focusout', sync);
  lifetime.listen(form, 'submit', sync, true);
  lifetime.listen(form, 'input', sync);
}

/** The brand as it is seen above fields. */
function drawHead({ draw, environment }: FormBuilder, { name: brand, form }: WidgetBrand): HTMLElement {
  return draw(
    'div',
    'wpwl-group wpwl-group-brand wpwl-group-head wpwl-clearfix',
    {},
    draw('div', `wpwl-brand wpwl-brand-${brand}`, { 'aria-hidden': 'true' }),
    draw('div', 'wpwl-brand-name', {}, form === 'giftCard' ? environment.text('giftCard') : brandName(brand)),
  );
}

/** A brand that asks for nothing is its own button. */
function drawBrandButton({ draw, environment }: FormBuilder, brand: string): HTMLElement {
  const text = environment.text('continueWith', { brand: brandName(brand) });
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

function noteOf({ session, text }: Environment, { form, name }: WidgetBrand): string | null {
  if (session.endpoint === '/registration') return null;
  if (form === 'invoice') return text('invoiceTerms', { merchant: session.merchantName });
  if (form === 'prepayment') return text('prepaymentHint');
  return form === 'onlineTransfer' || form === 'virtualAccount' ? text('redirectHint', { brand: brandName(name) }) : null;
}

/** Checkboxes for the consent to a debit and for storing the account. */
function drawBoxes(builder: FormBuilder, form: FormKind): readonly HTMLElement[] {
  const { environment } = builder;
  if (form !== 'directDebit') return [];
  const mandate = environment.text('mandateHint', { merchant: environment.session.merchantName });
  const boxes = [createBox(builder, { name: 'mandate', wire: null, label: mandate, isRequired: true })];
  if (environment.flag(environment.options().saveCard, false) && environment.session.endpoint === '/payment') {
    const label = environment.text('saveAccount');
    boxes.unshift(createBox(builder, { name: 'createRegistration', wire: 'createRegistration', label, isRequired: false }));
  }
  return boxes.map((box) => builder.add(box).group);
}

/** All groups between the brand and the button. */
function drawFields(builder: FormBuilder, brand: WidgetBrand): readonly HTMLElement[] {
  const wires = wiresOf(brand);
  const groups = wires.flatMap((wire) => {
    if (brand.form === 'directDebit' && wire === 'bankAccount.country') return [];
    if (wire === BIC) return [drawBic(builder, !wires.includes('bankAccount.iban'))];
    if (brand.form === 'virtualAccount' && wire === 'customer.mobile') return drawPaymentMode(builder);
    const field = createRequiredField(builder, brand.name, wire);
    return field ? [builder.add(field).group] : [];
  });
  const hasForm = groups.length > 0 || brand.form === 'invoice' || brand.form === 'prepayment';
  const address = wires.filter((wire) => wire.startsWith('billing.'));
  const billing = address.length > 0 || hasForm ? createBilling(builder, address) : null;
  const personal = hasForm ? createPersonal(builder, wires) : [];
  return [...groups, ...personal, ...(billing ? [billing] : []), ...drawBoxes(builder, brand.form)];
}

/** Clears masked fields: a PIN belongs to one payment. */
function forgetCodes({ fields }: FormBuilder): void {
  for (const { control } of fields) if (isPageControl(control) && control.type === 'password') control.value = '';
}

/** A form of one brand that is no card: its required fields and a button, or a button alone. */
export function createMethodForm(environment: Environment, brand: WidgetBrand & { readonly form: MethodKind }): PaymentForm {
  const { form, name } = brand;
  const key = form === 'directDebit' ? form : `${form}-${name}`;
  const formClasses = form === 'directDebit' ? '' : `wpwl-form-${form}`;
  const builder = createFormBuilder(environment, { key, formClasses, action: `submit-payment-${form}` });
  builder.setHidden('paymentBrand', name);
  const groups = drawFields(builder, brand);
  const isButton = groups.length === 0 && form !== 'invoice' && form !== 'prepayment';
  if (isButton) builder.form.append(drawBrandButton(builder, name));
  else builder.form.append(drawHead(builder, brand), ...groups, drawSubmit(builder, noteOf(environment, brand)));
  if (groups.length > 0) builder.form.classList.add('wpwl-form-has-inputs');
  if (form === 'directDebit') followIban(builder);
  const isInline = form === 'virtualAccount' && (environment.options().inlineFlow ?? []).includes(name);
  return finishForm(builder, {
    key,
    brands: [name],
    beforeHook: isInline ? 'onBeforeSubmitInlineVirtualAccount' : hooks[form],
    resetForRetry: () => forgetCodes(builder),
  });
}
