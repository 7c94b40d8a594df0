import type { Amount } from '../../../money/amount.ts';
import {
  type Element,
  type Entry,
  isBooked,
  type Parts,
  readEntry,
  readPart,
  readRest,
  readWhole,
  remarks,
  skipped,
} from './camtEntry.ts';
import { accountPaths, entryPaths, headerPaths, txPaths, type Values } from './camtPaths.ts';
import type { Format, ReadResult } from './reader.ts';
import { isMessage, type MessageKind, type OpenElement, readMessage, type Visitor } from './xml.ts';

type Kind = MessageKind & { readonly container: string };

/** An account report, statement or notification of ISO 20022: its booked entries, with their details where there are any. */
const camt = (kind: Kind): Format => ({
  name: kind.name,
  description: `ISO 20022 ${kind.name}, versions ${kind.versionsText}`,
  // Nothing was booked on that day.
  mayBeEmpty: true,
  recognises: (head) => isMessage(kind, head),
  read: (bytes, unsplit = NONE) => readMessage(kind, createVisitor(kind, unsplit), bytes),
});

const NONE: ReadonlySet<number> = new Set();
const NO_VALUES: Values = new Map();

const versions = { versions: /^(?:0[2-9]|1[0-3])$/, versionsText: '02 to 13' };
export const report = camt({ name: 'camt.052', container: 'Rpt', ...versions });
export const statement = camt({ name: 'camt.053', container: 'Stmt', ...versions });
export const notification = camt({ name: 'camt.054', container: 'Ntfctn', ...versions });

/** One account, one entry and two details at most are held in memory. */
function createVisitor({ container }: Kind, unsplit: ReadonlySet<number>): Visitor {
  const results: ReadResult[] = [];
  let header: OpenElement | null = null;
  let headerValues = NO_VALUES;
  let account: OpenElement | null = null;
  let entry: OpenElement | null = null;
  let detail: OpenElement | null = null;
  let numbers = 0;
  let reader = createEntryReader(results, false);
  const entryHeld = ({ values, line }: OpenElement): Entry => ({
    values,
    line,
    number: numbers,
    account: account?.values ?? NO_VALUES,
    header: headerValues,
  });
  return {
    results,
    inner: () => detail ?? entry ?? account ?? header,
    open(path, line) {
      const name = path.at(-1);
      const openElement = (paths: ReadonlySet<string>): OpenElement => ({ values: new Map(), depth: path.length, paths, line });
      if (path.length === 3 && name === 'GrpHdr') header = openElement(headerPaths);
      else if (path.length === 3 && name === container) account = openElement(accountPaths);
      else if (account && path.length === 4 && name === 'Ntry') {
        entry = openElement(entryPaths);
        numbers += 1;
        reader = createEntryReader(results, unsplit.has(numbers));
      } else if (entry && !detail && path.length === 6 && name === 'TxDtls') detail = openElement(txPaths);
    },
    close(path) {
      if (entry && detail && path.length === detail.depth) {
        reader.add(entryHeld(entry), detail);
        detail = null;
      } else if (entry && path.length === entry.depth) {
        reader.end(entryHeld(entry));
        entry = null;
      } else if (account && path.length === account.depth) account = null;
      else if (header && path.length === header.depth) {
        headerValues = header.values;
        header = null;
      }
    },
  };
}

/** The details of one entry. Only a second one shows that they are parts of its amount. */
function createEntryReader(results: ReadResult[], isUnsplit: boolean) {
  let only: Element | null = null;
  let count = 0;
  let sum: Amount | null = 0n;
  /** Parts that may not be among the results, if they do not make up the amount. */
  let hasParts = false;
  const addPart = (entry: Entry, detail: Element): void => {
    const part = readPart(entry, detail);
    sum = part === null || sum === null ? null : sum + part.signed;
    if (part === null || isUnsplit) return;
    results.push(part.result);
    hasParts = true;
  };
  return {
    add(entry: Entry, detail: Element): void {
      count += 1;
      if (count === 2 && only) addPart(entry, only);
      if (count >= 2) addPart(entry, detail);
      only = count === 1 ? detail : null;
    },
    end(entry: Entry): void {
      const parts: Parts = { count, sum };
      const rest = count >= 2 ? readRest(entry, parts) : null;
      if (hasParts && rest === null) results.push({ kind: 'unsplit', entry: entry.number });
      if (!isBooked(entry)) results.push(skipped(entry));
      else if (rest !== null) results.push(...rest, ...remarks(entry));
      else results.push(count >= 2 ? readWhole(entry, parts) : readEntry(entry, only), ...remarks(entry));
    },
  };
}
