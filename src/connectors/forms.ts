import type { ConnectorKind } from './kind.ts';

/** A connector with accounts as forms, messages and documentation show it. */
export type ConnectorForm = {
  readonly name: string;
  readonly title: string;
  readonly settings: readonly {
    readonly name: string;
    readonly help: string;
    readonly says: string;
    readonly control: 'text' | 'flag' | 'number' | 'choice' | 'list';
    readonly words: readonly string[];
    /** Null: it must be set. */
    readonly fallback: string | number | boolean | readonly string[] | null;
  }[];
  readonly secrets: readonly { readonly name: string; readonly help: string; readonly isOptional: boolean }[];
};

export const connectorForms = (kinds: ReadonlyMap<string, ConnectorKind>): readonly ConnectorForm[] =>
  [...kinds.values()].flatMap((kind) => {
    if (!kind.accounts) return [];
    const { settings, secrets } = kind.accounts;
    const form: ConnectorForm = {
      name: kind.name,
      title: kind.title,
      settings: Object.entries<(typeof settings)[never]>(settings).map(([name, row]) => {
        const { help, says, control, words = [], fallback = null } = row;
        return { name, help, says, control, words, fallback };
      }),
      secrets: Object.entries(secrets).map(([name, { help, isOptional = false }]) => ({ name, help, isOptional })),
    };
    return [form];
  });

/** The fault of a secret, as the end of a sentence that begins with its name; null: none. */
export function secretFault(
  kinds: ReadonlyMap<string, ConnectorKind>,
  connector: string,
  { name, text }: { readonly name: string; readonly text: string },
): string | null {
  const rows = kinds.get(connector)?.accounts?.secrets ?? {};
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) return `must be one of ${Object.keys(rows).join(', ')}`;
  return row.fits(text) ? null : `must be ${row.says}`;
}
