import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PaymentDetail, PossibleAct } from '../../../spec/answers/payments.ts';
import { useAddress } from '../../app/address.ts';
import { mayAt, useMe } from '../../app/me.ts';
import { useAsk } from '../../app/useAsk.ts';
import { Trouble } from '../../kit/Empty.tsx';
import { Section } from '../../kit/Facts.tsx';
import { Json } from '../../kit/Json.tsx';
import { useMoneyText } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { To } from '../../kit/To.tsx';
import { paymentTexts, wordFor } from '../../texts/payments.ts';
import { useTexts } from '../../texts/texts.ts';
import { ActDialog } from './ActDialog.tsx';
import { actRows } from './acts.ts';
import { State } from './columns.tsx';
import { Family } from './Family.tsx';
import { PaymentFacts } from './PaymentFacts.tsx';
import { PaymentTimeline } from './PaymentTimeline.tsx';

const EVERY_MS = 5_000;

/** One payment: amount and state first, then what happened, then what is known of it. */
export function PaymentPage(): ReactNode {
  const t = useTexts(paymentTexts);
  const { params } = useAddress();
  const { data, error, refetch } = useAsk('seePayment', {}, { places: { id: params.id ?? '' }, everyMs: EVERY_MS });
  if (data && data.payment.id === params.id) return <Seen detail={data} />;
  return (
    <>
      <PageHead title={t.payment} back={{ to: '/payments', label: t.title }} />
      {error && <Trouble problem={error} retry={() => void refetch()} />}
    </>
  );
}

function Seen({ detail }: { readonly detail: PaymentDetail }): ReactNode {
  const t = useTexts(paymentTexts);
  const money = useMoneyText();
  const { payment, result, timeline, family, raw } = detail;
  const [doing, setDoing] = useState<PossibleAct | null>(null);
  return (
    <>
      <PageHead
        title={money(payment.amount, payment.currency)}
        says={
          <span className="payment-says">
            <State state={payment.state} t={t} />
            <span>{wordFor(t, payment.paymentType)}</span>
            {payment.merchantTransactionId && <span>{payment.merchantTransactionId}</span>}
          </span>
        }
        back={{ to: '/payments', label: t.title }}
      >
        <Acts detail={detail} onAct={setDoing} />
      </PageHead>
      <Waiting detail={detail} />
      <Section title={t.result}>
        <ResultCode code={result.code} isFull />
        {payment.state === 'declined' && (
          <a href="#cause" className="to">
            {t.cause}
          </a>
        )}
      </Section>
      <Section title={t.timeline} acts={<Further payment={payment} />}>
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
      <ActDialog detail={detail} doing={doing} onClose={() => setDoing(null)} />
    </>
  );
}

/** A button for each act that is possible now and allowed to whoever looks. */
function Acts({ detail, onAct }: { readonly detail: PaymentDetail; readonly onAct: (act: PossibleAct) => void }): ReactNode {
  const t = useTexts(paymentTexts);
  const me = useMe();
  const possible = detail.acts.filter(
    ({ act, refusal }) => refusal === null && mayAt(me, actRows[act].right, detail.payment.entityId),
  );
  return possible.map((one) => (
    <Button key={one.act} variant="default" onClick={() => onAct(one)}>
      {t[one.act]}
    </Button>
  ));
}

/** What somebody asked for and another has to agree to. */
function Waiting({ detail: { waiting, payment } }: { readonly detail: PaymentDetail }): ReactNode {
  const t = useTexts(paymentTexts);
  const money = useMoneyText();
  if (waiting.length === 0) return null;
  return (
    <Section title={t.waiting} acts={<To to="/administration/approvals">{t.toApprovals}</To>}>
      <ul className="payment-waiting">
        {waiting.map(({ id, act, amount }) => (
          <li key={id}>{t.waitingSays(t[act], money(amount, payment.currency))}</li>
        ))}
      </ul>
    </Section>
  );
}

/** Where more is told of it than its timeline has room for. */
function Further({ payment }: { readonly payment: PaymentDetail['payment'] }): ReactNode {
  const t = useTexts(paymentTexts);
  const me = useMe();
  return (
    <span className="payment-says">
      {mayAt(me, 'readRisk', payment.entityId) && <To to={`/risk/payments/${payment.id}`}>{t.why}</To>}
      {mayAt(me, 'calls', payment.entityId) && (
        <To to="/developer/calls" search={{ paymentId: payment.id, entity: payment.entityId }}>
          {t.calls}
        </To>
      )}
    </span>
  );
}
