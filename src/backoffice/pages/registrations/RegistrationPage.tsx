import type { ReactNode } from 'react';
import type { RegistrationDetail } from '../../../spec/answers/stored.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useAsk, useAskPages } from '../../app/useAsk.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { Trouble } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { instrumentText, SeenPayments } from '../../kit/SeenPayments.tsx';
import { Status } from '../../kit/Status.tsx';
import { To } from '../../kit/To.tsx';
import { When } from '../../kit/When.tsx';
import { registrationTexts } from '../../texts/registrations.ts';
import { useTexts } from '../../texts/texts.ts';
import { registrationTones } from './words.ts';

/** One set of stored payment details: what may be shown of them, and what was done with them. */
export function RegistrationPage(): ReactNode {
  const t = useTexts(registrationTexts);
  const { id = '' } = useAddress().params;
  const { entityId } = useScope();
  const { data, error, refetch } = useAsk('seeRegistration', { entityId }, { places: { id } });
  const back = { to: '/registrations', label: t.title };
  return (
    <>
      <PageHead title={data ? instrumentText(data.instrument) : t.one} says={data && <State detail={data} />} back={back}>
        {data && <Remove detail={data} />}
      </PageHead>
      {error && !data && <Trouble problem={error} retry={() => void refetch()} />}
      {data && <Detail detail={data} />}
    </>
  );
}

type Shown = { readonly detail: RegistrationDetail };

function State({ detail }: Shown): ReactNode {
  const t = useTexts(registrationTexts);
  return <Status tone={registrationTones[detail.state]}>{t[detail.state]}</Status>;
}

function Detail({ detail }: Shown): ReactNode {
  const t = useTexts(registrationTexts);
  const { entityId } = useScope();
  const { instrument, series, networkToken } = detail;
  const uses = useAskPages(
    'listUses',
    { entityId },
    {
      places: { id: detail.id },
      rowsOf: ({ payments }) => payments,
    },
  );
  return (
    <>
      <Facts
        facts={[
          [t.id, <Id key="id" id={detail.id} />],
          [t.holder, instrument.holder],
          [t.expiry, instrument.expiry],
          [t.kind, instrument.kind],
          [t.created, <When key="created" at={detail.createdAt} isExact />],
          [t.used, <When key="used" at={detail.usedAt} isExact />],
          [t.kept, <When key="kept" at={detail.expiresAt} isExact />],
          [t.extended, detail.extendedUntil && <When key="extended" at={detail.extendedUntil} isExact />],
          [t.code, <ResultCode key="code" code={detail.code} />],
          [t.madeBy, <Id key="made" id={detail.paymentId} to={`/payments/${detail.paymentId}`} isShort />],
          [t.series, series && [series.type, series.initialTransactionId].filter(Boolean).join(' ')],
          [t.token, networkToken && `•••• ${networkToken.last4}, ${networkToken.expiry}`],
          [t.mode, detail.mode],
        ]}
      />
      {detail.schedules.length > 0 && (
        <Section title={t.schedules}>
          <ul className="plain-list">
            {detail.schedules.map(({ id, words, amount, currency }) => (
              <li key={id}>
                <To to={`/schedules/${id}`}>{words}</To>{' '}
                {amount !== null && currency !== null && <Money amount={amount} currency={currency} />}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t.uses}>
        <SeenPayments
          name="uses"
          label={t.uses}
          rows={uses.rows}
          empty={t.noUses}
          problem={uses.problem}
          retry={uses.retry}
          more={uses.more}
        />
      </Section>
    </>
  );
}

function Remove({ detail }: Shown): ReactNode {
  const t = useTexts(registrationTexts);
  const { entityId } = useScope();
  const may = useMay('registrations', detail.entityId);
  if (!may || detail.state === 'deleted' || detail.state === 'rejected') return null;
  return (
    <ConfirmButton
      endpoint="removeRegistration"
      request={{ values: { entityId }, places: { id: detail.id } }}
      title={t.removeTitle}
      label={t.remove}
      says={t.removed}
    >
      {t.removeSays(instrumentText(detail.instrument))}
    </ConfirmButton>
  );
}
