import { accountPaths, entryPaths, readDetail, readEntry, txPaths } from './camtEntry.ts';
import type { Format, ReadResult } from './reader.ts';
import { isMessage, type MessageKind, type OpenElement, readMessage, type Visitor } from './xml.ts';

type Kind = MessageKind & { readonly container: string };

/** An account statement or notification of ISO 20022: its booked entries, with their details where there are any. */
const camt = (kind: Kind): Format => ({
  name: kind.name,
  description: `ISO 20022 ${kind.name}, versions ${kind.versionsText}`,
  // Nothing was booked on that day.
  mayBeEmpty: true,
  recognises: (head) => isMessage(kind, head),
  read: (bytes) => readMessage(kind, createVisitor(kind), bytes),
});

const versions = { versions: /^0[2-8]$/, versionsText: '02 to 08' };
export const statement = camt({ name: 'camt.053', container: 'Stmt', ...versions });
export const notification = camt({ name: 'camt.054', container: 'Ntfctn', ...versions });

/** An entry also counts its details. */
type OpenEntry = OpenElement & { details: number };

/** At most one account, one entry and one detail are held in memory. */
function createVisitor({ container }: Kind): Visitor {
  const results: ReadResult[] = [];
  let account: OpenElement | null = null;
  let entry: OpenEntry | null = null;
  let detail: OpenElement | null = null;
  return {
    results,
    inner: () => detail ?? entry ?? account,
    open(path, line) {
      const name = path.at(-1);
      const openElement = (paths: ReadonlySet<string>): OpenElement => ({ values: new Map(), depth: path.length, paths, line });
      if (path.length === 3 && name === container) account = openElement(accountPaths);
      else if (account && path.length === 4 && name === 'Ntry') entry = { ...openElement(entryPaths), details: 0 };
      else if (entry && !detail && name === 'TxDtls') detail = openElement(txPaths);
    },
    close(path) {
      const whole = entry && { account: account?.values ?? new Map(), entry: entry.values, line: entry.line };
      if (whole && entry && detail && path.length === detail.depth) {
        entry.details += 1;
        results.push(...readDetail({ ...whole, number: entry.details }, detail));
        detail = null;
      } else if (whole && path.length === entry?.depth) {
        if (entry.details === 0) results.push(...readEntry({ ...whole, number: 0 }));
        entry = null;
      } else if (path.length === account?.depth) account = null;
    },
  };
}
