import type { Environment } from '../contract.ts';
import { now } from '../lifetime.ts';
import { birthDateCheck, emailCheck, phoneCheck, postcodeCheck, taxNumberCheck, textCheck } from './checks.ts';
import { createInput, createSelect, type FieldRow, type SelectOptions } from './field.ts';
import type { Field, FormBuilder } from './formBuilder.ts';

/** Two letters of each country. The table in spec/ has them too, with codes that no page needs; a test compares. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC ' +
  'CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD ' +
  'GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH ' +
  'KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW ' +
  'MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC ' +
  'SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY ' +
  'UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

/** Today where the shopper is, as the wire writes a day. */
export function today(): { readonly year: number; readonly month: number; readonly text: string } {
  const date = new Date(now());
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const text = [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  return { year, month, text };
}

/** Countries by the names that the language has for them. */
export function countryChoices(language: string, only: readonly string[] | null = null): SelectOptions['choices'] {
  const names = new Intl.DisplayNames([language, 'en'], { type: 'region' });
  const codes = only ?? countryCodes;
  const sorted = new Intl.Collator(language);
  return codes.map((code) => [code, names.of(code) ?? code] as const).toSorted((one, other) => sorted.compare(one[1], other[1]));
}

export const givenName: FieldRow = {
  name: 'givenName',
  wire: 'customer.givenName',
  label: 'givenName',
  error: 'givenNameError',
  check: textCheck(1, 50),
  autocomplete: 'given-name',
};
export const surname: FieldRow = {
  name: 'surname',
  wire: 'customer.surname',
  label: 'surname',
  error: 'surNameError',
  check: textCheck(1, 50),
  autocomplete: 'family-name',
};
export const email: FieldRow = {
  name: 'email',
  wire: 'customer.email',
  label: 'email',
  error: 'emailError',
  check: emailCheck,
  type: 'email',
  inputMode: 'email',
  autocomplete: 'email',
  isLtr: true,
};
export const phone: FieldRow = {
  name: 'mobilePhone',
  wire: 'customer.mobile',
  label: 'mobilePhone',
  error: 'mobilePhoneError',
  emptyError: 'emptyError',
  check: phoneCheck,
  type: 'tel',
  inputMode: 'tel',
  autocomplete: 'tel',
  isLtr: true,
};
const birthDate = (environment: Environment): FieldRow => ({
  name: 'birthDate',
  wire: 'customer.birthDate',
  label: 'birthDate',
  error: 'birthDateError',
  check: birthDateCheck(today().text),
  inputMode: 'numeric',
  autocomplete: 'bday',
  placeholder: environment.text('ddmmyyyy'),
  isRewritten: true,
  isLtr: true,
});
const taxNumber: FieldRow = {
  name: 'taxNumber',
  wire: 'customer.identificationDocId',
  label: 'taxNumber',
  error: 'taxNumberError',
  emptyError: 'emptyError',
  check: taxNumberCheck,
  isLtr: true,
};

/** Lines of an address besides the country, in the order they are asked for. */
const addressRows: readonly FieldRow[] = [
  {
    name: 'street1',
    wire: 'billing.street1',
    label: 'street1',
    error: 'street1Error',
    check: textCheck(1, 100),
    autocomplete: 'billing address-line1',
  },
  {
    name: 'street2',
    wire: 'billing.street2',
    label: 'street2',
    error: 'street1Error',
    check: textCheck(1, 100),
    autocomplete: 'billing address-line2',
  },
  {
    name: 'postcode',
    wire: 'billing.postcode',
    label: 'postcode',
    error: 'postcodeError',
    emptyError: 'emptyError',
    check: postcodeCheck,
    autocomplete: 'billing postal-code',
    isLtr: true,
  },
  {
    name: 'city',
    wire: 'billing.city',
    label: 'city',
    error: 'cityError',
    check: textCheck(1, 80),
    autocomplete: 'billing address-level2',
  },
  {
    name: 'state',
    wire: 'billing.state',
    label: 'state',
    error: 'stateError',
    check: textCheck(1, 50),
    autocomplete: 'billing address-level1',
  },
];

const names = ['country', ...addressRows.map(({ name }) => name)];

/** A field of the address block, with the class names that pages style. */
function part(builder: FormBuilder, name: string, field: Field): HTMLElement {
  const label = field.group.querySelector<HTMLElement>('.wpwl-label');
  const wrapper = builder.draw('div', `wpwl-sup-wrapper wpwl-sup-wrapper-${name}`);
  if (label) wrapper.append(label);
  wrapper.append(field.control);
  return wrapper;
}

/** The billing address, with what the shop knows of it filled in. Null where the shop does not ask for it. */
export function createBilling(builder: FormBuilder, asked: readonly string[] = []): HTMLElement | null {
  const { environment, draw, id } = builder;
  const { billingAddress, mandatoryBillingFields = {} } = environment.options();
  const isWanted = billingAddress !== null && typeof billingAddress === 'object';
  if (!isWanted && asked.length === 0) return null;
  const values: Readonly<Record<string, string>> = isWanted ? billingAddress : {};
  const isRequired = (name: string): boolean =>
    asked.includes(`billing.${name}`) || environment.flag(mandatoryBillingFields[name], false);
  const words = draw('div', 'wpwl-label wpwl-label-billing', { id: `${id}_billing` }, environment.text('billingAddress'));
  const wrapper = draw('div', 'wpwl-wrapper wpwl-wrapper-billing');
  const group = draw(
    'div',
    'wpwl-group wpwl-group-billing wpwl-clearfix',
    { role: 'group', 'aria-labelledby': words.id },
    words,
    wrapper,
  );
  for (const name of names) {
    if (!isWanted && !isRequired(name)) continue;
    const row = addressRows.find((one) => one.name === name);
    const value = typeof values[name] === 'string' ? { value: values[name] } : {};
    const field = row
      ? createInput(builder, { ...row, isRequired: isRequired(name), ...value })
      : createSelect(builder, {
          name: 'country',
          wire: 'billing.country',
          label: 'country',
          error: 'countryError',
          autocomplete: 'billing country',
          choices: countryChoices(environment.language),
          prompt: environment.text('chooseCountry'),
          isRequired: isRequired(name),
          ...value,
        });
    if (name === 'state') field.control.classList.add('wpwl-control-stateText');
    wrapper.append(part(builder, name, field));
    builder.add({ ...field, group });
  }
  return group;
}

/** Date of birth and tax number where the shop wants them. */
export function createPersonal(builder: FormBuilder, asked: readonly string[] = []): readonly HTMLElement[] {
  const { environment } = builder;
  const { showBirthDate, showTaxNumberField } = environment.options();
  const isTaxAsked = asked.some((name) => name === taxNumber.wire || name.includes('cpf'));
  const taxWire = asked.find((name) => name.includes('cpf')) ?? taxNumber.wire;
  const isBirthAsked = asked.includes('customer.birthDate');
  const groups: HTMLElement[] = [];
  if (isBirthAsked || environment.flag(showBirthDate, false))
    groups.push(builder.add(createInput(builder, { ...birthDate(environment), isRequired: isBirthAsked })).group);
  if (isTaxAsked || environment.flag(showTaxNumberField, false)) {
    const field = createInput(builder, { ...taxNumber, wire: taxWire, isRequired: isTaxAsked });
    const input = field.control as HTMLInputElement;
    // The wire has the number of a document only together with its kind.
    const sync = (): void =>
      builder.setHidden('customer.identificationDocType', input.name === taxNumber.wire && input.value ? 'TAXSTATEMENT' : null);
    groups.push(builder.add({ ...field, sync }).group);
  }
  return groups;
}
