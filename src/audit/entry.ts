import { hash } from 'node:crypto';
import { textCell } from '../reports/reconciliation/csv.ts';
import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';

/** The actor: a signed-in user, a token, the operator's token, a command, the program, or unknown. */
const actors = ['user', 'token', 'operator', 'command', 'system', 'nobody'] as const;
type Actor = (typeof actors)[number];

/** An action or an attempt, as its caller reports it. */
export type AuditAction = {
  /** The id of a user, the user of an access token, `operator` for the operator's token, or '' for an unknown caller. */
  readonly who: string;
  /** Default: a user, the operator or unknown, by `who`. */
  readonly by?: Actor;
  /** Name and e-mail at that time. */
  readonly whoName?: string;
  /** The name of an endpoint, of a command, or `start` and `stop`. */
  readonly what: string;
  readonly entityId: string | null;
  readonly objectId: string | null;
  /** `done`, a result code, or `failed`. */
  readonly result: string;
  /** The address of the client. */
  readonly from: string;
  /** A short remark; never a key, never the content of a field. */
  readonly note?: string;
};

/** The id of an object as the log keeps it and is searched for it. A caller may have sent anything in the place of an id. */
export const loggedId = (id: string): string => maskCardNumbers(id, { isStrict: true });

/** One line of the audit log. Nothing in it ever changes. */
export type AuditEntry = {
  /** From 1, without a gap, one chain for the whole installation. */
  readonly number: number;
  readonly at: number;
  readonly by: string;
  readonly who: string;
  readonly whoName: string;
  readonly what: string;
  readonly entityId: string | null;
  readonly objectId: string | null;
  readonly from: string;
  readonly result: string;
  /** The node that wrote it. */
  readonly node: string;
  readonly note: string | null;
  /** The hash of the entry before; empty in the first. */
  readonly previous: string;
  readonly hash: string;
};

/** Where the chain ends. `seal` is made with a key that the database does not hold. */
export type AuditHead = { readonly number: number; readonly hash: string; readonly seal: string };

export const NO_ENTRIES: AuditHead = { number: 0, hash: '', seal: '' };

const columns = [
  'number',
  'at',
  'by',
  'who',
  'whoName',
  'what',
  'entityId',
  'objectId',
  'from',
  'result',
  'node',
  'note',
  'previous',
  'hash',
] as const;

export const auditCsvHeader = `${columns.join(';')}\r\n`;

/** An entry as a CSV line. A cell that looks like a formula is marked as text. */
export const auditCsvLine = (entry: AuditEntry): string =>
  `${columns.map((name) => textCell(name === 'at' ? new Date(entry.at).toISOString() : String(entry[name] ?? ''))).join(';')}\r\n`;

export type AuditQuery = {
  /** Only older entries: by `at`, then by number. */
  readonly before?: { readonly at: number; readonly number: number };
  readonly from?: number;
  /** Only entries before this instant. */
  readonly to?: number;
  readonly limit: number;
};

/** The store of the audit log. */
export interface AuditStore {
  auditHead(): Promise<AuditHead>;
  /** Appends entries to a head in one durable commit; false: the chain has another head, and nothing was written. */
  appendAudit(head: AuditHead, entries: readonly AuditEntry[], next: AuditHead): Promise<boolean>;
  /** The newest first. */
  auditEntries(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** The entries after a number, in the order of the chain. */
  auditChain(after: number, limit: number): Promise<readonly AuditEntry[]>;
}

/** An action with the time and the node of its report. */
export type StampedAction = AuditAction & { readonly at: number; readonly node: string };

const TEXT_MAX = 200;
const CONTROL = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** A run of digits as long as a card number, with any separators. */
const NUMBER = /\d(?:[ -]?\d){11,}/g;
const ID = /^[a-f0-9]{32}$/;

/** External string: on one line, short, and without card numbers, even when a user typed one into an address. */
const cleanText = (text: string): string =>
  ID.test(text) ? text : text.replace(CONTROL, ' ').replace(NUMBER, '…').slice(0, TEXT_MAX);

const actorOf = ({ who, by }: AuditAction): string => by ?? (who === '' ? 'nobody' : who === 'operator' ? 'operator' : 'user');

/** The canonical string of an entry. */
const lineOf = (entry: Omit<AuditEntry, 'hash'>): string =>
  JSON.stringify([
    entry.previous,
    entry.number,
    entry.at,
    entry.by,
    entry.who,
    entry.whoName,
    entry.what,
    entry.entityId,
    entry.objectId,
    entry.from,
    entry.result,
    entry.node,
    entry.note,
  ]);

/**
 * The hash has no key, so an auditor can check an export without one. The keyed seal of the head detects a chain that was rewritten
 * as a whole.
 */
export const entryHash = (entry: Omit<AuditEntry, 'hash'>): string => hash('sha256', lineOf(entry), 'hex');

/** The entries of actions, chained to a head. */
export function chainEntries(head: Pick<AuditHead, 'number' | 'hash'>, acts: readonly StampedAction[]): readonly AuditEntry[] {
  let { number, hash: previous } = head;
  return acts.map((act) => {
    number += 1;
    const entry = {
      number,
      at: act.at,
      by: actorOf(act),
      who: cleanText(act.who),
      whoName: cleanText(act.whoName ?? ''),
      what: cleanText(act.what),
      entityId: act.entityId,
      objectId: act.objectId === null ? null : cleanText(act.objectId),
      from: cleanText(act.from),
      result: cleanText(act.result),
      node: cleanText(act.node),
      note: act.note === undefined ? null : cleanText(act.note),
      previous,
    };
    previous = entryHash(entry);
    return { ...entry, hash: previous };
  });
}

/** The string that the seal of a head covers. */
export const sealedText = ({ number, hash: headHash }: Pick<AuditHead, 'number' | 'hash'>): string => `${number}:${headHash}`;
