import { createInput, createSelect, type Field } from './field.ts';
import { addressRows, birthDate, countryChoices, taxNumber } from './personFields.ts';
import type { Sheet } from './sheet.ts';

const names = ['country', ...addressRows.map(({ name }) => name)];

/** A part of the address inside the block of all of them, under the names that pages style it by. */
function part(sheet: Sheet, name: string, field: Field): HTMLElement {
  const label = field.group.querySelector<HTMLElement>('.wpwl-label');
  const wrapper = sheet.draw('div', `wpwl-sup-wrapper wpwl-sup-wrapper-${name}`);
  if (label) wrapper.append(label);
  wrapper.append(field.control);
  return wrapper;
}

/** The billing address, with what the shop knows of it filled in. Null where the shop does not ask for it. */
export function createBilling(sheet: Sheet, asked: readonly string[] = []): HTMLElement | null {
  const { around, draw, id } = sheet;
  const { billingAddress, mandatoryBillingFields = {} } = around.options();
  const isWanted = billingAddress !== null && typeof billingAddress === 'object';
  if (!isWanted && asked.length === 0) return null;
  const values: Readonly<Record<string, string>> = isWanted ? billingAddress : {};
  const isRequired = (name: string): boolean =>
    asked.includes(`billing.${name}`) || around.flag(mandatoryBillingFields[name], false);
  const words = draw('div', 'wpwl-label wpwl-label-billing', { id: `${id}_billing` }, around.text('billingAddress'));
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
      ? createInput(sheet, { ...row, isRequired: isRequired(name), ...value })
      : createSelect(sheet, {
          name: 'country',
          wire: 'billing.country',
          label: 'country',
          error: 'countryError',
          autocomplete: 'billing country',
          choices: countryChoices(around.language),
          prompt: around.text('chooseCountry'),
          isRequired: isRequired(name),
          ...value,
        });
    if (name === 'state') field.control.classList.add('wpwl-control-stateText');
    wrapper.append(part(sheet, name, field));
    sheet.add({ ...field, group });
  }
  return group;
}

/** Date of birth and tax number where the shop wants them. */
export function createPersonal(sheet: Sheet, asked: readonly string[] = []): readonly HTMLElement[] {
  const { around } = sheet;
  const { showBirthDate, showTaxNumberField } = around.options();
  const isTaxAsked = asked.some((name) => name === taxNumber.wire || name.includes('cpf'));
  const taxWire = asked.find((name) => name.includes('cpf')) ?? taxNumber.wire;
  const isBirthAsked = asked.includes('customer.birthDate');
  const groups: HTMLElement[] = [];
  if (isBirthAsked || around.flag(showBirthDate, false))
    groups.push(sheet.add(createInput(sheet, { ...birthDate(around), isRequired: isBirthAsked })).group);
  if (isTaxAsked || around.flag(showTaxNumberField, false)) {
    const field = createInput(sheet, { ...taxNumber, wire: taxWire, isRequired: isTaxAsked });
    const input = field.control as HTMLInputElement;
    // The wire has the number of a document only together with its kind.
    const settle = (): void =>
      sheet.setHidden('customer.identificationDocType', input.name === taxNumber.wire && input.value ? 'TAXSTATEMENT' : null);
    groups.push(sheet.add({ ...field, settle }).group);
  }
  return groups;
}
