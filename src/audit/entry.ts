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
