import type { FrameFault } from '../../protocol.ts';
import type { ErrorKey } from '../../texts.ts';
import type { BrandChoice } from './brandChoice.ts';
import { holderCheck, readExpiry, showExpiry } from './checks.ts';
import { createInput, drawGroup, markOptional } from './field.ts';
import type { Field, FormBuilder } from './formBuilder.ts';
import { createFramed, type Framed } from './frameField.ts';
import { givenName, surname, today } from './personFields.ts';

const isSafe = ({ environment }: FormBuilder): boolean => environment.flag(environment.options().enableSAQACompliance, false);

/** The number, in its frame. */
export function createNumber(
  builder: FormBuilder,
  frames: string,
  options: { brands: readonly string[]; choice: BrandChoice },
): Framed {
  const { environment } = builder;
  const isGrouped = environment.flag(environment.options().numberFormatting, true);
  return createFramed(builder, {
    name: 'cardNumber',
    field: 'card.number',
    frames,
    label: 'cardNumber',
    placeholder: environment.placeholder('cardNumber'),
    isRequired: true,
    setup: { isGrouped, brands: options.brands, brand: options.choice.current() || null },
    faultIn(fault) {
      if (fault === 'empty') return 'cardNumberEmptyError';
      if (options.choice.isForeign()) return 'cardBinError';
      return fault === 'short' ? 'cardNumberShortError' : 'cardNumberError';
    },
    errors: ['cardNumberError', 'cardBinError'],
    blurHook: 'onBlurCardNumber',
    onMessage(message) {
      if (message.is === 'brands') options.choice.detected(message.brands, message.bin);
    },
  });
}

/** The security code, in its frame. */
export type Cvv = Framed & { setBrand(brand: { name: string; digits: 3 | 4 | null; isRequired: boolean }): void };

export function createCvv(builder: FormBuilder, frames: string, isRequired: boolean): Cvv {
  const { environment } = builder;
  let length: 3 | 4 | null = null;
  const framed = createFramed(builder, {
    name: 'cvv',
    field: 'card.cvv',
    frames,
    label: 'cvv',
    placeholder: environment.placeholder('cvv'),
    isRequired,
    setup: { isMasked: environment.flag(environment.options().maskCvv, false) },
    faultIn(fault) {
      if (fault === 'empty') return 'cvvEmptyError';
      return length === null ? 'cvvError' : 'cvvLengthError';
    },
    errors: ['cvvError'],
    blurHook: 'onBlurSecurityCode',
  });
  return Object.assign(framed, {
    places: () => ({ digits: String(length) }),
    setBrand({ name, digits, isRequired: isNeeded }: Parameters<Cvv['setBrand']>[0]) {
      length = digits;
      framed.isRequired = isNeeded;
      framed.client.change({ brand: name || null, cvvLength: digits, isRequired: isNeeded });
      markOptional(builder, framed.group, !isNeeded);
    },
  });
}

const expiryErrors: readonly ErrorKey[] = ['expiryYearError', 'expiryMonthError'];
const framedExpiryErrors: Readonly<Record<FrameFault, ErrorKey>> = {
  empty: 'expiryEmptyError',
  short: 'expiryShortError',
  month: 'expiryMonthError',
  past: 'expiryPastError',
  wrong: 'expiryYearError',
};

/** Formats the text while it is typed, and keeps the caret between the same digits. */
function format(control: HTMLInputElement, event: Event): void {
  const { inputType = '' } = event as InputEvent;
  const before = control.value.slice(0, control.selectionStart ?? control.value.length);
  const isAtEnd = before.length === control.value.length;
  const shown = showExpiry(control.value, inputType.startsWith('delete'));
  if (shown === control.value) return;
  control.value = shown;
  if (isAtEnd || control.ownerDocument.activeElement !== control) return;
  const digits = before.replace(/\D/g, '').length;
  const at = [...shown].findIndex((_, index) => shown.slice(0, index).replace(/\D/g, '').length >= digits);
  control.setSelectionRange(at < 0 ? shown.length : at, at < 0 ? shown.length : at);
}

/** The expiry date: a field of the page with two hidden ones, or all in a frame. */
export function createExpiry(builder: FormBuilder, frames: string): Field {
  const { environment, draw } = builder;
  const isFree = (): boolean => environment.flag(environment.options().disableCardExpiryDateValidation, false);
  const placeholder = environment.placeholder('expiryDate');
  const shared = { name: 'expiry', blurHook: 'onBlurExpiryDate', errors: expiryErrors } as const;
  if (isSafe(builder)) {
    const framed = { ...shared, field: 'card.expiry', frames, label: 'expiryDate', placeholder } as const;
    return createFramed(builder, {
      ...framed,
      isRequired: true,
      setup: { isExpiryFree: isFree() },
      faultIn: (fault) => framedExpiryErrors[fault],
    });
  }
  const control = draw('input', 'wpwl-control wpwl-control-expiry', {
    type: 'text',
    name: 'card.expiry',
    inputmode: 'numeric',
    autocomplete: 'cc-exp',
    placeholder,
    dir: 'ltr',
    maxlength: '9',
    'aria-required': 'true',
    'data-action': 'blur-card-expiry',
  });
  const focus = (): void => control.focus();
  const label = environment.text('expiryDate');
  const group = drawGroup(builder, { name: 'expiry', label, control, focus });
  control.addEventListener('input', (event) => format(control, event));
  const read = (): ReturnType<typeof readExpiry> => readExpiry(control.value, isFree() ? null : today());
  const sync = (): void => {
    const expiry = read();
    const { month, year } = typeof expiry === 'string' ? { month: '', year: '' } : expiry;
    builder.setHidden('card.expiryMonth', month);
    builder.setHidden('card.expiryYear', year);
  };
  sync();
  const fault = async (): Promise<ErrorKey | null> => {
    const expiry = read();
    return typeof expiry === 'string' ? expiry : null;
  };
  return { ...shared, label, group, control, fault, focus, sync };
}

const isHolderRequired = ({ environment }: FormBuilder): boolean => {
  const { requireCardHolder, allowEmptyCardHolderName } = environment.options();
  return environment.flag(requireCardHolder, false) || !environment.flag(allowEmptyCardHolderName, true);
};

/** The name on the card: one field, two that are the customer's name as well, or a frame. */
export function createHolder(
  builder: FormBuilder,
  frames: string,
): { readonly groups: readonly HTMLElement[]; readonly fields: readonly Field[] } {
  const { environment } = builder;
  const isRequired = isHolderRequired(builder);
  const placeholder = environment.placeholder('cardHolder');
  const shared = { name: 'cardHolder', label: 'cardHolder', blurHook: 'onBlurCardHolder' } as const;
  if (environment.flag(environment.options().forceCardHolderEqualsBillingName, false)) {
    const fields = [givenName, surname].map((row) => createInput(builder, { ...row, isRequired: true }));
    const sync = (): void => {
      const [first = '', last = ''] = fields.map(({ control }) => (control as HTMLInputElement).value.trim());
      builder.setHidden('card.holder', `${first} ${last}`.trim());
    };
    return { groups: fields.map(({ group }) => group), fields: fields.map((field) => ({ ...field, sync })) };
  }
  if (isSafe(builder)) {
    const framed = { ...shared, field: 'card.holder', frames, placeholder, isRequired, errors: ['cardHolderError'] } as const;
    const field = createFramed(builder, { ...framed, faultIn: () => 'cardHolderError' });
    return { groups: [field.group], fields: [field] };
  }
  const check = holderCheck(environment.session.isTest);
  const row = { ...shared, wire: 'card.holder', error: 'cardHolderError', check, autocomplete: 'cc-name', placeholder } as const;
  const field = createInput(builder, { ...row, isRequired });
  return { groups: [field.group], fields: [field] };
}
