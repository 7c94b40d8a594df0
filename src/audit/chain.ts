import { hash } from 'node:crypto';
import type { AuditAction, AuditEntry, AuditHead } from './entry.ts';

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
