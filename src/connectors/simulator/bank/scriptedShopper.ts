import type { Payment, Redirect } from '../../../payments/payment.ts';
import type { AcquirerAnswer } from '../../../payments/ports.ts';
import type { ConnectorNeeds } from '../../ports.ts';
import type { AcquirerRecord, AcquirerRecords } from '../acquirerRecords.ts';
import { type Directives, durationMs } from '../directives.ts';
import { answerByChoice, createConfirmer, readTicket, type Ticket, WAIT_MS_MAX } from './choices.ts';

/** A simulated shopper at the bank: directives of the payment say what the shopper does, and when. */

const AFTER_MS = 2_000;
/** Time for the gateway to commit the redirect before the shopper's decision is notified. */
const MOMENT_MS = 250;
const choices: Readonly<Record<string, 'pay' | 'decline' | 'cancel'>> = { pays: 'pay', declines: 'decline', cancels: 'cancel' };

type ScriptedDecision = { readonly answer: AcquirerAnswer; readonly decidedAt: number; readonly isScripted: true };

/**
 * The decision that the directives script; null when a person clicks. It is derived from the payment, so that every node computes the
 * same.
 */
export function scriptedDecision(
  { id, createdAt }: Payment,
  { shopper = '', shopperAfter }: Directives,
): ScriptedDecision | null {
  const choice = choices[shopper];
  if (choice === undefined) return null;
  return {
    answer: answerByChoice[choice]({ paymentId: id }),
    decidedAt: createdAt + durationMs(shopperAfter, AFTER_MS),
    isScripted: true,
  };
}

type ScriptedShopperNeeds = Pick<ConnectorNeeds, 'clockOf' | 'sleep' | 'notify'> & { readonly records: AcquirerRecords };

/**
 * Waits for the scripted time and confirms the decision. When the process ends before, the next inquiry finds the same decision, because
 * it is derived from the payment.
 */
export function createScriptedShopper({ clockOf, sleep, notify, records }: ScriptedShopperNeeds) {
  const confirm = createConfirmer({ sleep, notify });
  return async function act({ url }: Redirect): Promise<void> {
    const ticket = readTicket(url.slice(url.lastIndexOf('/') + 1));
    const entry = ticket && records.find(ticket.paymentId);
    if (!ticket || !entry?.isScripted) return;
    const waitMs = Math.max(MOMENT_MS, entry.decidedAt - clockOf(ticket.merchantId).now());
    if (waitMs > WAIT_MS_MAX) return;
    await sleep(waitMs);
    if (isUnchanged(records, ticket, entry)) await confirm(ticket, entry.answer);
  };
}

/** False when the merchant has cancelled the payment meanwhile. */
const isUnchanged = (records: AcquirerRecords, { paymentId }: Ticket, { answer }: AcquirerRecord): boolean =>
  records.find(paymentId)?.answer === answer;
