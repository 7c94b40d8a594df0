import { type FormEvent, useState } from 'react';
import type { Problem } from '../app/problem.ts';

/** The texts of a form by field, and what the server found wrong with them. */
export type Form<Field extends string> = {
  readonly values: Readonly<Record<Field, string>>;
  readonly set: (field: Field, value: string) => void;
  readonly reset: () => void;
  /** Everything a Mantine text field needs: `<TextInput label="…" {...form.field('name')} />`. */
  readonly field: (field: Field) => {
    readonly value: string;
    readonly onChange: (event: { readonly currentTarget: { readonly value: string } } | string | null) => void;
    readonly error: string | null;
    readonly name: string;
  };
  /** For `<form onSubmit>`. */
  readonly submit: (act: (values: Readonly<Record<Field, string>>) => void) => (event: FormEvent) => void;
};

/** A form bound to the parameter errors of a reply. An error is shown at its field until the field is changed. */
export function useForm<const Field extends string>(
  initial: Readonly<Record<Field, string>>,
  problem: Problem | null = null,
): Form<Field> {
  const [values, setValues] = useState(initial);
  const [mended, setMended] = useState<{ readonly of: Problem | null; readonly fields: readonly string[] }>({
    of: null,
    fields: [],
  });
  const isMended = (field: string) => mended.of === problem && mended.fields.includes(field);
  const set = (field: Field, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setMended({ of: problem, fields: mended.of === problem ? [...mended.fields, field] : [field] });
  };
  return {
    values,
    set,
    reset: () => setValues(initial),
    field: (field) => ({
      name: field,
      value: values[field],
      error: isMended(field) ? null : (problem?.faults[field] ?? null),
      onChange: (event) => set(field, typeof event === 'object' && event !== null ? event.currentTarget.value : (event ?? '')),
    }),
    submit: (act) => (event) => {
      event.preventDefault();
      act(values);
    },
  };
}
