import { DamagedTable } from '../payments/storeErrors.ts';
import type { SealedRow, SealedTable, Vault } from '../vault/ports.ts';
import { keyOfText, VaultRefused } from '../vault/sealedText.ts';
import type { Audit, Unreadable } from './ports.ts';

/** Opens a text; rejects with VaultRefused when it cannot be opened. */
export type Opening = Vault['open'];

const nouns: Readonly<Record<SealedTable, string>> = {
  payment: 'payment',
  proof: 'payment',
  registration: 'registration',
  secret: 'secret',
};

/** Records that cannot be read, and sealed texts that cannot be opened. `open` null: the keys are not at hand, and the form is looked at. */
export async function* damagedRecords(
  audit: Audit,
  merchantId: string | null,
  open: Opening | null,
  leftOut: SealedTable | null = null,
): AsyncGenerator<readonly Unreadable[]> {
  yield* audit.unreadable(merchantId);
  try {
    const opening = open ?? (await formOnly(audit));
    for await (const page of audit.sealed(merchantId)) {
      const found: Unreadable[] = [];
      for (const row of page.filter(({ table }) => table !== leftOut)) {
        const why = await refusalOf(row, opening);
        const says = `this ${nouns[row.table]} cannot be opened: ${why}`;
        if (why !== null) found.push({ merchantId: row.merchantId, id: idOf(row), says });
      }
      yield found;
    }
  } catch (error) {
    yield [damagedTable(error)];
  }
}

/** As a finding that names the table; throws every other error. */
export function damagedTable(error: unknown): Unreadable {
  if (!(error instanceof DamagedTable)) throw error;
  return { merchantId: '', id: error.table, says: error.message };
}

const idOf = ({ table, recordId, field }: SealedRow): string => (table === 'secret' ? `${recordId}/${field}` : recordId);

async function refusalOf({ table: _, sealed, ...record }: SealedRow, open: Opening): Promise<string | null> {
  try {
    await open(record, sealed);
    return null;
  } catch (error) {
    if (!(error instanceof VaultRefused)) throw error;
    return error.message;
  }
}

/** Looks at the format, the length, and whether there is a key of its version. */
async function formOnly(audit: Audit): Promise<Opening> {
  const keys = await audit.keys(null);
  const known = new Map(keys.filter(({ purpose }) => purpose === 'data').map((key) => [`${key.owner} ${key.version}`, key]));
  return async ({ merchantId }, sealed) => {
    const version = keyOfText(sealed);
    if (version === null) throw new VaultRefused('damaged');
    if (version === 'derived') return '';
    const key = known.get(`${merchantId} ${version}`);
    if (!key) throw new VaultRefused('unknownKey');
    if (key.wrapped === null) throw new VaultRefused('retired');
    return '';
  };
}
