import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FamilyMember, PaymentDetail, PossibleAction, TimelineEntry } from '../../../spec/answers/payments.ts';
import { mayAt, useMe } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { Json, RawMessage } from '../../kit/Code.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money, useMoneyText } from '../../kit/Money.tsx';
import { type Fact, Facts, PageHead, Section, Unloaded } from '../../kit/Page.tsx';
import { CustomerLink, PageLink } from '../../kit/PageLink.tsx';
import { PaymentStatus } from '../../kit/PaymentsTable.tsx';
import { ResultCode } from '../../kit/Status.tsx';
import { Timeline, Timestamp } from '../../kit/Timestamp.tsx';
import { type PaymentWords, paymentTexts, wordFor } from '../../texts/payments.ts';
import { useTexts } from '../../texts/texts.ts';
import { ActionDialog, actionRows } from './ActionDialog.tsx';

const CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;
const tones = { plain: 'quiet', good: 'good', warn: 'warn', bad: 'bad' } as const;

/** The timeline of a payment. The first failed entry is the target of the link to the reason. */
function PaymentTimeline({ entries }: { readonly entries: readonly TimelineEntry[] }): ReactNode {
  const t = useTexts(paymentTexts);
  const cause = entries.findIndex(({ tone }) => tone === 'bad');
  return (
    <Timeline
      label={t.timeline}
      events={entries.map((entry, at) => ({
        key: `${at} ${entry.kind} ${entry.what}`,
        at: entry.at,
        tone: tones[entry.tone],
        title: <span {...(at === cause && { id: 'cause' })}>{titleOf(entry, t)}</span>,
        says: <EntryText entry={entry} />,
        detail: entry.raw !== null && <RawMessage value={entry.raw} label={t.rawOf} />,
      }))}
    />
  );
}

const titleOf = ({ kind, what }: TimelineEntry, t: PaymentWords): string =>
  kind === 'family' ? wordFor(t, what) : wordFor(t, `${kind}.${what}`);

function EntryText({ entry }: { readonly entry: TimelineEntry }): ReactNode {
  const t = useTexts(paymentTexts);
  const { kind, what, note, detail, paymentId } = entry;
  const isScore = kind === 'risk' && what !== 'fired';
  const parts = [
    note && <Word key="note" word={isScore ? t.score(note) : note} />,
    detail && detail !== note && <Word key="detail" word={detail} />,
    paymentId && (
      <PageLink key="to" to={`/payments/${paymentId}`}>
        {t.payment}
      </PageLink>
    ),
  ].filter(Boolean);
  return parts.length > 0 ? <span className="payment-says">{parts}</span> : null;
}

const Word = ({ word }: { readonly word: string }): ReactNode =>
  CODE.test(word) ? <ResultCode code={word} /> : <span>{word}</span>;

const EVERY_MS = 5_000;

/** A payment: amount and status, then the timeline, then the details. */
export function PaymentPage(): ReactNode {
  const t = useTexts(paymentTexts);
  const { params } = useAddress();
  const { data, error, refetch } = useApiQuery('seePayment', {}, { places: { id: params.id ?? '' }, everyMs: EVERY_MS });
  if (data && data.payment.id === params.id) return <PaymentDetails detail={data} />;
  return <Unloaded title={t.payment} back={{ to: '/payments', label: t.title }} error={error} retry={refetch} />;
}

function PaymentDetails({ detail }: { readonly detail: PaymentDetail }): ReactNode {
  const t = useTexts(paymentTexts);
  const money = useMoneyText();
  const { payment, result, timeline, family, raw } = detail;
  const [doing, setDoing] = useState<PossibleAction | null>(null);
  return (
    <>
      <PageHead
        title={money(payment.amount, payment.currency)}
        says={
          <span className="payment-says">
            <PaymentStatus status={payment.status} currency={payment.currency} />
            <span>{wordFor(t, payment.paymentType)}</span>
            {payment.merchantTransactionId && <span>{payment.merchantTransactionId}</span>}
          </span>
        }
        back={{ to: '/payments', label: t.title }}
      >
        <PaymentActions detail={detail} onConfirm={setDoing} />
      </PageHead>
      <PendingApprovals detail={detail} />
      <Section title={t.result}>
        <ResultCode code={result.code} isFull />
        {payment.state === 'declined' && (
          <a href="#cause" className="to">
            {t.cause}
          </a>
        )}
      </Section>
      <Section title={t.timeline} actions={<PaymentLinks payment={payment} />}>
        <PaymentTimeline entries={timeline} />
      </Section>
      {family.length > 1 && (
        <Section title={t.family}>
          <Family members={family} here={payment.id} />
        </Section>
      )}
      <Section title={t.facts}>
        <PaymentFacts payment={payment} />
      </Section>
      <Section title={t.raw}>
        <Json value={raw} label={t.raw} />
      </Section>
      <ActionDialog detail={detail} doing={doing} onClose={() => setDoing(null)} />
    </>
  );
}

/** A button for each action that is possible and allowed. */
function PaymentActions({
  detail,
  onConfirm,
}: {
  readonly detail: PaymentDetail;
  readonly onConfirm: (act: PossibleAction) => void;
}): ReactNode {
  const t = useTexts(paymentTexts);
  const me = useMe();
  const possible = detail.acts.filter(
    ({ act, refusal }) => refusal === null && mayAt(me, actionRows[act].right, detail.payment.entityId),
  );
  return possible.map((one) => (
    <Button key={one.act} variant="default" onClick={() => onConfirm(one)}>
      {t[one.act]}
    </Button>
  ));
}

/** Actions that wait for approval. */
function PendingApprovals({ detail: { waiting, payment } }: { readonly detail: PaymentDetail }): ReactNode {
  const t = useTexts(paymentTexts);
  const money = useMoneyText();
  if (waiting.length === 0) return null;
  return (
    <Section title={t.waiting} actions={<PageLink to="/administration/approvals">{t.toApprovals}</PageLink>}>
      <ul className="payment-waiting">
        {waiting.map(({ id, act, amount }) => (
          <li key={id}>{t.waitingSays(t[act], money(amount, payment.currency))}</li>
        ))}
      </ul>
    </Section>
  );
}

/** Links to the risk evaluation and the API calls of the payment. */
function PaymentLinks({ payment }: { readonly payment: PaymentDetail['payment'] }): ReactNode {
  const t = useTexts(paymentTexts);
  const me = useMe();
  return (
    <span className="payment-says">
      {mayAt(me, 'readRisk', payment.entityId) && <PageLink to={`/risk/payments/${payment.id}`}>{t.why}</PageLink>}
      {mayAt(me, 'calls', payment.entityId) && (
        <PageLink to="/developer/calls" search={{ paymentId: payment.id, entity: payment.entityId }}>
          {t.calls}
        </PageLink>
      )}
    </span>
  );
}

type FamilyProps = { readonly members: readonly FamilyMember[]; readonly here: string };

/** A payment and the transactions that reference it, as a tree. */
function Family({ members, here }: FamilyProps): ReactNode {
  const known = new Set(members.map(({ id }) => id));
  const roots = members.filter(({ referencedId }) => referencedId === null || !known.has(referencedId));
  return <Branch of={roots} members={members} here={here} />;
}

function Branch({ of, members, here }: FamilyProps & { readonly of: readonly FamilyMember[] }): ReactNode {
  const t = useTexts(paymentTexts);
  return (
    <ul className="payment-family">
      {of.map(({ id, paymentType, amount, currency, status, createdAt }) => {
        const below = members.filter(({ referencedId }) => referencedId === id);
        return (
          <li key={id}>
            <div className="payment-member" aria-current={id === here || undefined}>
              {id === here ? (
                <strong>{wordFor(t, paymentType)}</strong>
              ) : (
                <PageLink to={`/payments/${id}`}>{wordFor(t, paymentType)}</PageLink>
              )}
              <Money amount={amount} currency={currency} />
              <PaymentStatus status={status} currency={currency} />
              <Timestamp at={createdAt} hasSeconds />
            </div>
            {below.length > 0 && <Branch of={below} members={members} here={here} />}
          </li>
        );
      })}
    </ul>
  );
}

/** The details of a payment. */
function PaymentFacts({ payment }: { readonly payment: PaymentDetail['payment'] }): ReactNode {
  const t = useTexts(paymentTexts);
  const linked = (id: string | null, to: string) => id && <Id id={id} to={`${to}/${id}`} isShort />;
  const card = payment.last4 && `${payment.bin ?? ''} •••• ${payment.last4}`.trim();
  const facts: readonly Fact[] = [
    [t.id, <Id key="id" id={payment.id} />],
    [t.shortId, <Id key="shortId" id={payment.shortId} />],
    [t.reference, payment.merchantTransactionId],
    [t.type, wordFor(t, payment.paymentType)],
    [t.created, <Timestamp key="created" at={payment.createdAt} hasSeconds />],
    [t.changed, <Timestamp key="changed" at={payment.changedAt} hasSeconds />],
    [t.captureBefore, payment.captureBefore && <Timestamp key="captureBefore" at={payment.captureBefore} hasSeconds />],
    [t.brand, payment.paymentBrand],
    [t.card, card],
    [t.holder, payment.holder],
    [t.expiry, payment.expiry],
    [t.email, payment.email],
    [t.customer, payment.customerId && <CustomerLink key="customer" id={payment.customerId} merchantId={payment.merchantId} />],
    [t.merchant, payment.merchant],
    [t.channel, payment.channel],
    [t.descriptor, payment.descriptor],
    [t.memo, payment.memo],
    [t.connector, payment.connector],
    [
      t.earlierAccounts,
      payment.earlier.length > 0 && (
        <ul key="earlier" className="plain-list">
          {payment.earlier.map(({ account, code, at }) => (
            <li key={account}>
              {account} <ResultCode code={code} /> <Timestamp at={at} hasSeconds />
            </li>
          ))}
        </ul>
      ),
    ],
    [t.mode, payment.mode],
    [t.source, payment.source],
    [t.registration, linked(payment.registrationId, '/registrations')],
    [t.checkout, linked(payment.checkoutId, '/checkouts')],
    [t.schedule, linked(payment.scheduleId, '/schedules')],
  ];
  return <Facts facts={facts} />;
}
