import type { Past } from '../risk/backtest.ts';
import type { Named } from '../risk/backtestSheet.ts';
import type { Lookups } from '../risk/needs.ts';
import { RISK_CHECK } from '../spec/paymentTypes.ts';
import { isApproved } from './balance.ts';
import type { Payment } from './payment.ts';
import { factsAbout, isJudged, SAYS_NOTHING } from './risk.ts';

/** By entityId: the time zone of every channel of the merchant. */
export type Zones = Readonly<Record<string, { readonly timeZone: string }>>;

/** A payment as a back-test sees it; null for what is never judged, and for a question that was no attempt. */
export function pastOf(payment: Payment, lookups: Lookups, channels: Zones): Named | null {
  if (!isJudged(payment) || payment.paymentType === RISK_CHECK) return null;
  const { phase } = payment;
  return {
    id: payment.id,
    facts: factsAbout({ risk: { lookups } }, payment, channels[payment.entityId]?.timeZone ?? 'UTC'),
    is: outcomeOf(payment),
    code: phase.at === 'final' ? phase.code : null,
    isChargedBack: false,
  };
}

function outcomeOf(payment: Payment): Past['is'] {
  const { phase, risk } = payment;
  if (risk?.verdict.is === 'decline') return 'blocked';
  if (phase.at !== 'final' || SAYS_NOTHING.test(phase.code)) return 'open';
  return isApproved(payment) ? 'approved' : 'declined';
}

const CHARGE_BACK: string = 'CB';

/** The payment that was charged back with this one; null when this is no charge-back. The only place that knows one. */
export const chargedBackBy = ({ paymentType, familyId }: Payment): string | null =>
  paymentType === CHARGE_BACK ? familyId : null;
