import type { Hooks } from '../../options.ts';
import type { ErrorKey, TextKey } from '../../texts.ts';
import type { Check } from './checks.ts';

import type { Field, FormBuilder } from './formBuilder.ts';

export type GroupOptions = {
  readonly name: string;
  readonly label: string;
  readonly control: HTMLElement;
  /** Shown beside the label. */
  readonly isOptional?: boolean;
  readonly focus: () => void;
};

/** `group-X / label-X / wrapper-X / control-X`, as pages know it. */
export function drawGroup(builder: FormBuilder, { name, label, control, isOptional = false, focus }: GroupOptions): HTMLElement {
  const { environment, draw, id } = builder;
  const wrapper = draw('div', `wpwl-wrapper wpwl-wrapper-${name}`, {}, control);
  const group = draw('div', `wpwl-group wpwl-group-${name} wpwl-clearfix`, {}, wrapper);
  if (!environment.flag(environment.options().showLabels, true)) {
    control.setAttribute('aria-label', label);
    return group;
  }
  const words = draw('div', `wpwl-label wpwl-label-${name}`, { id: `${id}_${name}` }, label);
  // Pages expect a div and no label element, so a label's own behaviour is added here.
  words.addEventListener('click', focus);
  if (control.tagName !== 'IFRAME') control.setAttribute('aria-labelledby', words.id);
  group.prepend(words);
  markOptional(builder, group, isOptional);
  return group;
}

/** Shows beside the label whether the field is optional. */
export function markOptional({ environment, draw }: FormBuilder, group: HTMLElement, isOptional: boolean): void {
  const label = group.querySelector('.wpwl-label');
  const mark = group.querySelector('.wpwl-optional');
  if (!isOptional) mark?.remove();
  else if (!mark) label?.append(draw('span', 'wpwl-optional', {}, environment.text('optional')));
}

/** A row of the tables of fields: everything about one that does not change. */
export type FieldRow = {
  readonly name: string;
  /** Under which it is sent; where the value is not sent as it stands, `isRewritten` puts it into a hidden field. */
  readonly wire: string;
  readonly label: TextKey;
  readonly error: ErrorKey;
  readonly emptyError?: ErrorKey;
  /** A more precise error for a text that the check refuses. */
  readonly detail?: (text: string) => ErrorKey | null;
  readonly check: Check;
  readonly type?: 'text' | 'email' | 'tel' | 'password';
  readonly inputMode?: 'numeric' | 'tel' | 'email';
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly isRewritten?: boolean;
  /** Digits and codes run from left to right in every language. */
  readonly isLtr?: boolean;
  /** How it is shown once it is right. */
  readonly show?: (text: string) => string;
};

export type InputOptions = FieldRow & {
  readonly isRequired: boolean;
  readonly value?: string;
  readonly blurHook?: keyof Hooks;
};

/** The error of a text, by the check of its row. */
const faultIn = (row: InputOptions, text: string): ErrorKey | null => {
  if (text.trim() === '') return row.isRequired ? (row.emptyError ?? row.error) : null;
  return row.check(text) === null ? (row.detail?.(text) ?? row.error) : null;
};

/** An input of the page itself. */
export function createInput(builder: FormBuilder, row: InputOptions): Field {
  const { draw, environment } = builder;
  const control = draw('input', `wpwl-control wpwl-control-${row.name}`, {
    type: row.type ?? 'text',
    name: row.isRewritten ? null : row.wire,
    inputmode: row.inputMode ?? null,
    autocomplete: row.autocomplete ?? 'off',
    placeholder: (environment.flag(environment.options().showPlaceholders, true) && row.placeholder) || null,
    dir: row.isLtr ? 'ltr' : null,
    'aria-required': row.isRequired ? 'true' : null,
    spellcheck: 'false',
  });
  if (row.value !== undefined) control.value = row.value;
  const focus = (): void => control.focus();
  const label = environment.text(row.label);
  const group = drawGroup(builder, { name: row.name, label, control, focus, isOptional: !row.isRequired });
  if (row.show) {
    const show = row.show;
    control.addEventListener('change', () => {
      if (row.check(control.value) !== null) control.value = show(control.value);
    });
  }
  return {
    name: row.name,
    label,
    group,
    control,
    errors: row.emptyError && row.emptyError !== 'emptyError' ? [row.error, row.emptyError] : [row.error],
    fault: async () => faultIn(row, control.value),
    focus,
    ...(row.isRewritten ? { sync: () => builder.setHidden(row.wire, row.check(control.value) ?? '') } : {}),
    ...(row.blurHook ? { blurHook: row.blurHook } : {}),
  };
}

export type SelectOptions = Pick<FieldRow, 'name' | 'wire' | 'label' | 'error' | 'autocomplete'> & {
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** Shown before anything is chosen; without it the first choice is selected. */
  readonly prompt?: string;
  readonly value?: string;
  readonly isRequired: boolean;
};

/** A choice of the page itself. */
export function createSelect(builder: FormBuilder, row: SelectOptions): Field & { readonly control: HTMLSelectElement } {
  const { draw, environment } = builder;
  const choices = row.prompt === undefined ? row.choices : [['', row.prompt] as const, ...row.choices];
  const control = draw(
    'select',
    `wpwl-control wpwl-control-${row.name}`,
    { name: row.wire, autocomplete: row.autocomplete ?? null, 'aria-required': row.isRequired ? 'true' : null },
    ...choices.map(([value, text]) => draw('option', '', { value }, text)),
  );
  if (row.value !== undefined) control.value = row.value;
  const focus = (): void => control.focus();
  const label = environment.text(row.label);
  const group = drawGroup(builder, { name: row.name, label, control, focus, isOptional: !row.isRequired });
  const fault = async (): Promise<ErrorKey | null> => (row.isRequired && control.value === '' ? row.error : null);
  return { name: row.name, label, group, control, errors: [row.error], fault, focus };
}

export type BoxOptions = {
  readonly name: string;
  /** Null: it is required but not sent. */
  readonly wire: string | null;
  readonly label: string;
  readonly isRequired: boolean;
};

/** A box to tick, never ticked beforehand. */
export function createBox({ draw, id }: FormBuilder, { name, wire, label, isRequired }: BoxOptions): Field {
  const control = draw('input', `wpwl-control wpwl-control-${name}`, {
    type: 'checkbox',
    id: `${id}_${name}`,
    name: wire,
    value: 'true',
    'aria-required': isRequired ? 'true' : null,
  });
  const words = draw('label', `wpwl-label wpwl-label-${name}`, { for: control.id }, label);
  const group = draw(
    'div',
    `wpwl-group wpwl-group-${name} wpwl-group-box wpwl-clearfix`,
    {},
    draw('div', `wpwl-wrapper wpwl-wrapper-${name}`, {}, control, words),
  );
  return {
    name,
    label: null,
    group,
    control,
    errors: ['consentError'],
    fault: async () => (isRequired && !control.checked ? 'consentError' : null),
    focus: () => control.focus(),
  };
}
