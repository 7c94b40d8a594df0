import { type WidgetRegistration, widgetFields } from '../../../spec/widget.ts';
import type { PaymentForm, Surroundings } from '../contract.ts';
import { setHidden } from '../fields.ts';
import { setShown } from './draw.ts';
import { createRemoval } from './forget.ts';
import { createSheet, finish, type Sheet } from './sheet.ts';
import { createRow, type StoredRow } from './storedRow.ts';
import { drawSubmit } from './submitPart.ts';

type Shown = { select(row: StoredRow | null): void; selected(): StoredRow | null };

/** One of them is chosen at a time, and only its code is asked for. */
function createSelection(rows: readonly StoredRow[]): Shown {
  let current: StoredRow | null = null;
  return {
    selected: () => current,
    select(row) {
      current = row;
      for (const one of rows) one.setSelected(one === row);
    },
  };
}

/** The button that shows the other ways to pay, which wait until it is pressed. */
function drawOthers({ around, draw }: Sheet, show: () => void): HTMLElement {
  const text = around.text('showOtherPaymentMethods');
  const attributes = { type: 'button', 'data-action': 'show-initial-forms' };
  const button = draw('button', 'wpwl-button wpwl-button-pay wpwl-button-other', attributes, text);
  const group = draw('div', 'wpwl-group wpwl-group-other wpwl-clearfix', {}, button);
  button.addEventListener('click', () => {
    setShown(group, false);
    show();
  });
  return group;
}

export type StoredOf = {
  readonly registrations: readonly WidgetRegistration[];
  /** Shows the forms that wait; null: they are shown from the start. */
  readonly showOthers: (() => void) | null;
  /** The last of them was removed. */
  readonly onEmpty: () => void;
};

/** Stored details to choose from. */
export function createStoredForm(around: Surroundings, { registrations, showOthers, onEmpty }: StoredOf): PaymentForm {
  const sheet = createSheet(around, {
    key: 'registrations',
    formClasses: 'wpwl-form-has-inputs',
    action: 'submit-registration',
  });
  const { draw, form, container } = sheet;
  container.className = 'wpwl-container wpwl-container-registration wpwl-clearfix';
  const root = draw('div', '', { id: 'wpwl-registrations' }, container);
  const list = draw('div', 'wpwl-registration-list', { role: 'radiogroup', 'aria-label': around.text('storedCards') });
  const rows = registrations.map((registration) => createRow(sheet, registration));
  const selection = createSelection(rows);
  const submit = drawSubmit(sheet);
  const others = showOthers ? drawOthers(sheet, showOthers) : null;
  for (const row of rows) {
    row.radio.addEventListener('change', () => selection.select(row));
    list.append(row.group);
    createRemoval(sheet, row, () => {
      rows.splice(rows.indexOf(row), 1);
      row.remove();
      if (selection.selected() === row) selection.select(rows[0] ?? null);
      if (rows.length > 0) return;
      others?.querySelector('button')?.click();
      onEmpty();
      setShown(container, false);
    });
  }
  form.append(list, submit, ...(others ? [others] : []));
  selection.select(rows[0] ?? null);
  const built = finish(sheet, {
    key: 'registration',
    brands: [...new Set(registrations.map(({ brand }) => brand))],
    beforeHook: 'onBeforeSubmitOneClickCard',
    async prepare() {
      const cvv = selection.selected()?.cvv();
      setHidden(form, widgetFields.sealed, cvv && !cvv.client.state().isEmpty ? await cvv.client.seal({}) : null);
    },
    renew() {
      setHidden(form, widgetFields.sealed, null);
      selection.selected()?.cvv()?.client.clear();
    },
  });
  return {
    ...built,
    unmount() {
      built.unmount();
      root.remove();
    },
  };
}
