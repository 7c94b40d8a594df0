import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { type Problem, problemText } from '../app/api.ts';
import { type CommandOptions, useApiCommand } from '../app/useApi.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';

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

/** A random idempotency key. */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Ignores the second click of a double click, which comes before the button is disabled. */
export function useOnce(): (work: () => Promise<unknown>) => void {
  const isGoing = useRef(false);
  return (work) => {
    if (isGoing.current) return;
    isGoing.current = true;
    // The form shows the problem.
    const over = () => {
      isGoing.current = false;
    };
    work().then(over, over);
  };
}

/** The errors of a form: by field, and the rest as one sentence. */
type FieldErrors = { readonly at: Readonly<Record<string, string | undefined>>; readonly rest: string | null };

/** Maps a problem to the fields of a form. On a conflict (409) it loads the current data again and says so. */
export function useFieldErrors(problem: Problem | null, fields: readonly string[]): FieldErrors {
  const shell = useTexts(shellTexts);
  const client = useQueryClient();
  useEffect(() => {
    if (problem?.status === 409) void client.invalidateQueries();
  }, [client, problem]);
  if (!problem) return { at: {}, rest: null };
  if (problem.status === 409) return { at: {}, rest: shell.faster };
  const isAtField = Object.keys(problem.faults).some((name) => fields.includes(name));
  return { at: problem.faults, rest: isAtField ? null : problemText(problem, shell) };
}

/**
 * The command of a dialog with its text fields: `<DialogForm {...form.sending}>` shows its errors and that it runs. `others` names
 * further fields that show their errors themselves, by `at`.
 */
export function useCommandForm<Name extends AdminEndpointName, const Field extends string>(
  endpoint: Name,
  initial: Readonly<Record<Field, string>>,
  { others = [], ...options }: CommandOptions<Name> & { readonly others?: readonly string[] },
) {
  const { run, isRunning, problem } = useApiCommand(endpoint, { ...options, isQuiet: true });
  const form = useForm(initial, problem);
  const { at, rest } = useFieldErrors(problem, [...Object.keys(initial), ...others]);
  return { ...form, run, at, sending: { fault: rest, isRunning } };
}
