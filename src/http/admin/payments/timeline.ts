import type { TraceStore } from '../../../ledger/ports.ts';
import { amountText } from '../../../money/amount.ts';
import { isApproved } from '../../../payments/balance.ts';
import { codeOf } from '../../../payments/commitPayment.ts';
import type { Payment } from '../../../payments/payment.ts';
import { stateOf } from '../../../payments/search/search.ts';
import { isRelease } from '../../../payments/validity.ts';
import type { TimelineEntry } from '../../../spec/answers/payments.ts';
import { isResultCode, resultCodes } from '../../../spec/resultCodes.ts';
import { logOfPayment } from '../../../spec/scenarios/log.ts';
import { playedIn } from '../../../spec/scenarios/played.ts';
import type { Delivery, OutboxEvent, Webhook } from '../../../webhooks/webhook.ts';
import { deliveryShown } from '../webhooks/webhooks.ts';
import { instant } from './view.ts';

/** Everything that is stored about one payment. */
export type PaymentHistory = {
  readonly payment: Payment;
  readonly family: readonly Payment[];
  readonly events: Awaited<ReturnType<TraceStore['eventsOf']>>;
  readonly postings: Awaited<ReturnType<TraceStore['postingsOf']>>;
  readonly deliveries: Awaited<ReturnType<TraceStore['deliveriesOf']>>;
  readonly webhooks: readonly Pick<Webhook, 'id' | 'name'>[];
};

/** `from`: the instant that it follows, where its own is not stored. Of one instant the lower rank comes first. */
type RankedEntry = Omit<TimelineEntry, 'at'> & { readonly at: number | null; readonly from: number; readonly rank: number };

const plain = { tone: 'plain', note: null, detail: null, paymentId: null, raw: null } as const;

export function timelineOf(history: PaymentHistory): readonly TimelineEntry[] {
  const entries = [
    ...requestEntries(history),
    ...riskEntries(history),
    ...authenticationEntries(history),
    ...connectorEntries(history),
    ...stateEntries(history),
    ...ledgerEntries(history),
    ...deliveryEntries(history),
    ...followUpEntries(history),
  ];
  return entries
    .sort((one, other) => one.from - other.from || one.rank - other.rank)
    .map(({ from: _, rank: __, at, ...entry }) => ({ ...entry, at: at === null ? null : instant(at) }));
}

const meansOf = (payment: Payment) => resultCodes[codeOf(payment)].means;
const textOf = (code: string): string | null => (isResultCode(code) ? resultCodes[code].text : null);

/** The request, and whether it passed the checks. */
function requestEntries({ payment }: PaymentHistory): readonly RankedEntry[] {
  const { createdAt: at, paymentType, amount, currency, fields, ndc, recordedBy, scheduleId } = payment;
  const what = recordedBy !== undefined ? 'recorded' : scheduleId !== undefined ? 'planned' : 'received';
  const money = `${paymentType} ${amountText(amount)} ${currency}`;
  const request: RankedEntry = {
    ...plain,
    at,
    from: at,
    rank: 0,
    kind: 'request',
    what,
    note: money,
    raw: { ndc, recordedBy, planId: scheduleId, fields },
  };
  const isRefused = meansOf(payment) === 'refused' && payment.revision === 1;
  const code = codeOf(payment);
  const checks: RankedEntry = isRefused
    ? { ...plain, at: null, from: at, rank: 1, kind: 'checks', what: 'refused', tone: 'bad', note: code, detail: textOf(code) }
    : { ...plain, at: null, from: at, rank: 1, kind: 'checks', what: 'passed', tone: 'good' };
  return [request, checks, ...played(payment)];
}

function played({ fields, amount, createdAt }: Payment): readonly RankedEntry[] {
  const one = playedIn(fields);
  if (!one) return [];
  const raw = { seed: one.seed, attempt: one.attempt, acts: one.acts, log: logOfPayment(one, amount).split('\n') };
  return [{ ...plain, at: null, from: createdAt, rank: 3, kind: 'scenario', what: 'played', note: one.scenario, raw }];
}

const verdictTones = { accept: 'good', review: 'warn', challenge: 'warn', decline: 'bad' } as const;

/** The risk verdict, and every rule that led to it. */
function riskEntries({ payment: { risk, createdAt } }: PaymentHistory): readonly RankedEntry[] {
  if (!risk) return [];
  const { verdict, score, fired } = risk;
  const at = { ...plain, at: null, from: createdAt } as const;
  return [
    ...fired.map((rule, nth): RankedEntry => {
      const detail = `${rule.says}${rule.score === 0 ? '' : ` (${rule.score})`}`;
      return { ...at, rank: 4 + nth / 1_000, kind: 'risk', what: 'fired', tone: 'warn', note: rule.rule, detail, raw: rule };
    }),
    { ...at, rank: 5, kind: 'risk', what: verdict.is, tone: verdictTones[verdict.is], note: String(score), raw: risk },
  ];
}

/** The authentication. Between beginning and end no instants are stored. */
function authenticationEntries({ payment }: PaymentHistory): readonly RankedEntry[] {
  const { threeDS, createdAt, movedAt, phase } = payment;
  if (!threeDS) return [];
  const { state } = threeDS;
  const begun: RankedEntry = {
    ...plain,
    at: state.createdAt,
    from: Math.max(state.createdAt, createdAt),
    rank: 6,
    kind: 'threeDS',
    what: 'begun',
    note: state.version,
    raw: { ...state, phase: undefined },
  };
  const { phase: now } = state;
  const isOver = now.at === 'done';
  // The end was written in the same commit only where the authentication ended the payment.
  const endedAt =
    isOver && phase.at === 'final' && now.outcome.kind !== 'authenticated' && stateOf(payment) === 'declined' ? movedAt : null;
  const step: RankedEntry = {
    ...plain,
    at: endedAt,
    from: endedAt ?? begun.from,
    rank: 7,
    kind: 'threeDS',
    raw: now,
    ...(isOver
      ? { what: now.outcome.flow ?? 'ended', note: now.outcome.transStatus ?? now.outcome.kind, detail: now.outcome.kind }
      : { what: now.at, tone: 'warn' }),
  };
  return [begun, step];
}

/** The codes with which an authentication ends a payment. */
const BY_AUTHENTICATION = /^100\.3[89]0\./;

/** Whether the acquirer was asked at all: not when the payment was refused, blocked or not authenticated before. */
function wasSent({ connector, risk, threeDS, phase }: Payment, means: string): boolean {
  if (connector === '' || means === 'refused' || risk?.verdict.is === 'decline' || phase.at === 'authentication') return false;
  const proof = threeDS?.state.phase;
  return !(proof?.at === 'done' && phase.at === 'final' && BY_AUTHENTICATION.test(phase.code));
}

/** The connector's request and reply, without secrets. */
function connectorEntries({ payment }: PaymentHistory): readonly RankedEntry[] {
  const means = meansOf(payment);
  if (!wasSent(payment, means) || payment.recordedBy !== undefined) return [];
  const { connector, createdAt, movedAt, phase, instrument, details, paymentType, amount, currency, method, referencedId } =
    payment;
  const message = {
    connector,
    id: payment.id,
    paymentType,
    amount: amountText(amount),
    currency,
    method,
    referencedId,
    instrument,
  };
  const at = { ...plain, kind: 'connector', note: connector } as const;
  // After the beginning of an authentication, where there was one.
  const begun = Math.max(createdAt, payment.threeDS?.state.createdAt ?? createdAt);
  const earlier = earlierEntries(payment, begun);
  const from = payment.earlier?.at(-1)?.declinedAt ?? begun;
  const question: RankedEntry = { ...at, at: null, from, rank: 8, what: 'sent', raw: message };
  if (phase.at === 'shopper') {
    return [
      ...earlier,
      question,
      { ...at, at: null, from: movedAt, rank: 9, what: 'redirected', tone: 'warn', raw: phase.redirect },
    ];
  }
  if (phase.at !== 'final') {
    return [...earlier, question, { ...at, at: movedAt, from: movedAt, rank: 9, what: phase.at, tone: 'warn', raw: phase }];
  }
  const tone = means === 'approved' ? 'good' : 'bad';
  const what = means === 'approved' ? 'approved' : 'declined';
  return [
    ...earlier,
    question,
    { ...at, at: movedAt, from: movedAt, rank: 9, what, tone, detail: textOf(phase.code), raw: { code: phase.code, ...details } },
  ];
}

/** The accounts that declined before the last one was asked. */
function earlierEntries({ earlier = [] }: Payment, begun: number): readonly RankedEntry[] {
  return earlier.flatMap(({ connector, code, declinedAt, reference, resultDetails }, nth): readonly RankedEntry[] => {
    const at = { ...plain, kind: 'connector', note: connector } as const;
    const raw = { code, reference, resultDetails };
    return [
      { ...at, at: null, from: earlier[nth - 1]?.declinedAt ?? begun, rank: 7.8, what: 'sent', raw: { connector } },
      {
        ...at,
        at: declinedAt,
        from: declinedAt,
        rank: 7.9,
        what: 'declined',
        tone: 'warn',
        detail: `${code} ${textOf(code)}`,
        raw,
      },
    ];
  });
}

const stateTones = { approved: 'good', chargeback: 'warn', pending: 'warn', declined: 'bad', refused: 'bad' } as const;

const PENDING = '000.200.000';

/** Every change of state. Events are not stored for ever: then first and last state come from the payment itself. */
function stateEntries({ payment, events }: PaymentHistory): readonly RankedEntry[] {
  const { createdAt, movedAt, revision } = payment;
  const entry = (code: string, at: number, raw: unknown): RankedEntry => {
    const means = isResultCode(code) ? resultCodes[code].means : 'pending';
    return {
      ...plain,
      at,
      from: at,
      rank: 10,
      kind: 'state',
      what: means,
      tone: stateTones[means],
      note: code,
      detail: textOf(code),
      raw,
    };
  };
  // An event with details is about the schedule that the transaction made, and not about the transaction.
  const changes = events.filter(({ detail }) => detail === null);
  const known = changes.map((one: OutboxEvent) =>
    entry(one.code, one.createdAt, { revision: one.revision, type: one.type, id: one.id }),
  );
  const isTold = (code: string) => changes.some((one) => one.code === code);
  const [code, wasPending] = [codeOf(payment), revision > 1 || payment.phase.at !== 'final'];
  const first = wasPending && !isTold(PENDING) ? [entry(PENDING, createdAt, { revision: 1 })] : [];
  return [...first, ...known, ...(code === PENDING || isTold(code) ? [] : [entry(code, movedAt, { revision })])];
}

function ledgerEntries({ postings }: PaymentHistory): readonly RankedEntry[] {
  return postings.map(({ at, currency, mode, revision, entries }) => {
    const amounts = Object.entries(entries).map(([account, amount]) => [account, amountText(amount ?? 0n)] as const);
    const note = amounts.map(([account, amount]) => `${account} ${amount}`).join(' · ');
    const raw = { revision, mode, currency, entries: Object.fromEntries(amounts) };
    return { ...plain, at, from: at, rank: 11, kind: 'ledger', what: 'posted', note, detail: currency, raw };
  });
}

/** The webhook deliveries, attempt after attempt. */
function deliveryEntries({ deliveries, webhooks }: PaymentHistory): readonly RankedEntry[] {
  const nameOf = ({ webhookId }: Delivery) => webhooks.find(({ id }) => id === webhookId)?.name ?? webhookId;
  return deliveries.flatMap((delivery): readonly RankedEntry[] => {
    const { tries, state, createdAt } = delivery;
    const about = { ...plain, kind: 'webhook', note: nameOf(delivery), raw: deliveryShown(delivery) } as const;
    const tried = tries.map(({ at, status, why }): RankedEntry => {
      const detail = [status, why].filter((part) => part !== null).join(' · ');
      return {
        ...about,
        at,
        from: at,
        rank: 13,
        what: why === null ? 'delivered' : 'failed',
        tone: why === null ? 'good' : 'bad',
        detail,
      };
    });
    if (state !== 'due') return tried;
    return [...tried, { ...about, at: createdAt, from: createdAt, rank: 12, what: 'waiting', tone: 'warn' }];
  });
}

/** Follow-up transactions. */
function followUpEntries({ payment, family }: PaymentHistory): readonly RankedEntry[] {
  return family
    .filter(({ referencedId }) => referencedId === payment.id)
    .map((other) => {
      const { createdAt: at, paymentType, amount, currency, id } = other;
      const money = `${amountText(amount)} ${currency}`;
      // The gateway's own release when the validity ended: no act of the merchant.
      const isOwn = isRelease(other) && isApproved(other);
      const [what, tone] = isOwn ? ['release', 'plain' as const] : [paymentType, stateTones[meansOf(other)]];
      const about = { at, from: at, rank: 14, kind: 'family', what, tone, note: money } as const;
      return { ...plain, ...about, detail: codeOf(other), paymentId: id, raw: { id, paymentType, code: codeOf(other) } };
    });
}
