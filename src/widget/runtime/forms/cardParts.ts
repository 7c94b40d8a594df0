import type { FrameFault } from '../../protocol.ts';
import type { ErrorKey } from '../../texts.ts';
import type { BrandChoice } from './brandChoice.ts';
import { holderCheck } from './checks.ts';
import { readExpiry, showExpiry } from './expiryText.ts';
import { createInput, drawGroup, type Field, markOptional } from './field.ts';
import { createFramed, type Framed } from './frameField.ts';
import { givenName, surname, today } from './personFields.ts';
import type { Sheet } from './sheet.ts';

const isSafe = ({ around }: Sheet): boolean => around.flag(around.options().enableSAQACompliance, false);

/** The number, in its frame. */
export function createNumber(sheet: Sheet, frames: string, of: { brands: readonly string[]; choice: BrandChoice }): Framed {
  const { around } = sheet;
  const isGrouped = around.flag(around.options().numberFormatting, true);
  return createFramed(sheet, {
    name: 'cardNumber',
    field: 'card.number',
    frames,
    label: 'cardNumber',
    placeholder: around.placeholder('cardNumber'),
    isRequired: true,
    setup: { isGrouped, brands: of.brands, brand: of.choice.current() || null },
    faultIn(fault) {
      if (fault === 'empty') return 'cardNumberEmptyError';
      if (of.choice.isForeign()) return 'cardBinError';
      return fault === 'short' ? 'cardNumberShortError' : 'cardNumberError';
    },
    errors: ['cardNumberError', 'cardBinError'],
    blurHook: 'onBlurCardNumber',
    onMessage(message) {
      if (message.is === 'brands') of.choice.detected(message.brands, message.bin);
    },
  });
}

/** The security code, in its frame. */
export type Cvv = Framed & { follow(brand: { name: string; digits: 3 | 4 | null; isRequired: boolean }): void };

export function createCvv(sheet: Sheet, frames: string, isRequired: boolean): Cvv {
  const { around } = sheet;
  let length: 3 | 4 | null = null;
  const framed = createFramed(sheet, {
    name: 'cvv',
    field: 'card.cvv',
    frames,
    label: 'cvv',
    placeholder: around.placeholder('cvv'),
    isRequired,
    setup: { isMasked: around.flag(around.options().maskCvv, false) },
    faultIn(fault) {
      if (fault === 'empty') return 'cvvEmptyError';
      return length === null ? 'cvvError' : 'cvvLengthError';
    },
    errors: ['cvvError'],
    blurHook: 'onBlurSecurityCode',
  });
  return Object.assign(framed, {
    places: () => ({ digits: String(length) }),
    follow({ name, digits, isRequired: isNeeded }: Parameters<Cvv['follow']>[0]) {
      length = digits;
      framed.isRequired = isNeeded;
      framed.client.change({ brand: name || null, cvvLength: digits, isRequired: isNeeded });
      markOptional(sheet, framed.group, !isNeeded);
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

/** Writes the text anew while it is typed, and leaves the cursor where it was among the digits. */
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
export function createExpiry(sheet: Sheet, frames: string): Field {
  const { around, draw } = sheet;
  const isFree = (): boolean => around.flag(around.options().disableCardExpiryDateValidation, false);
  const placeholder = around.placeholder('expiryDate');
  const shared = { name: 'expiry', blurHook: 'onBlurExpiryDate', errors: expiryErrors } as const;
  if (isSafe(sheet)) {
    const framed = { ...shared, field: 'card.expiry', frames, label: 'expiryDate', placeholder } as const;
    return createFramed(sheet, {
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
  const label = around.text('expiryDate');
  const group = drawGroup(sheet, { name: 'expiry', label, control, focus });
  control.addEventListener('input', (event) => format(control, event));
  const read = (): ReturnType<typeof readExpiry> => readExpiry(control.value, isFree() ? null : today());
  const settle = (): void => {
    const expiry = read();
    const { month, year } = typeof expiry === 'string' ? { month: '', year: '' } : expiry;
    sheet.setHidden('card.expiryMonth', month);
    sheet.setHidden('card.expiryYear', year);
  };
  settle();
  const fault = (): ErrorKey | null => {
    const expiry = read();
    return typeof expiry === 'string' ? expiry : null;
  };
  return { ...shared, label, group, control, fault, focus, settle };
}

const isHolderRequired = ({ around }: Sheet): boolean => {
  const { requireCardHolder, allowEmptyCardHolderName } = around.options();
  return around.flag(requireCardHolder, false) || !around.flag(allowEmptyCardHolderName, true);
};

/** The name on the card: one field, two that are the customer's name as well, or a frame. */
export function createHolder(
  sheet: Sheet,
  frames: string,
): { readonly groups: readonly HTMLElement[]; readonly fields: readonly Field[] } {
  const { around } = sheet;
  const isRequired = isHolderRequired(sheet);
  const placeholder = around.placeholder('cardHolder');
  const shared = { name: 'cardHolder', label: 'cardHolder', blurHook: 'onBlurCardHolder' } as const;
  if (around.flag(around.options().forceCardHolderEqualsBillingName, false)) {
    const fields = [givenName, surname].map((row) => createInput(sheet, { ...row, isRequired: true }));
    const settle = (): void => {
      const [first = '', last = ''] = fields.map(({ control }) => (control as HTMLInputElement).value.trim());
      sheet.setHidden('card.holder', `${first} ${last}`.trim());
    };
    return { groups: fields.map(({ group }) => group), fields: fields.map((field) => ({ ...field, settle })) };
  }
  if (isSafe(sheet)) {
    const framed = { ...shared, field: 'card.holder', frames, placeholder, isRequired, errors: ['cardHolderError'] } as const;
    const field = createFramed(sheet, { ...framed, faultIn: () => 'cardHolderError' });
    return { groups: [field.group], fields: [field] };
  }
  const check = holderCheck(around.session.isTest);
  const row = { ...shared, wire: 'card.holder', error: 'cardHolderError', check, autocomplete: 'cc-name', placeholder } as const;
  const field = createInput(sheet, { ...row, isRequired });
  return { groups: [field.group], fields: [field] };
}
