import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CallDetailView } from '../../../spec/answers/developer.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useMe } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { Curl } from '../../kit/Curl.tsx';
import { LoadError } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Json } from '../../kit/Json.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { developerTexts } from '../../texts/developer.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { toneOf } from './Calls.tsx';
import { Explanation } from './Explanation.tsx';
import { RunAgain } from './RunAgain.tsx';

/** One call: what it means first, then request and answer side by side. */
export function Call(): ReactNode {
  const t = useTexts(developerTexts);
  const { params } = useAddress();
  const id = params.id ?? '';
  const { data: call, error, refetch } = useApiQuery('readCall', { language: useLanguage() }, { places: { id } });
  const back = { to: '/developer/calls', label: t.calls };
  if (!call) {
    return (
      <>
        <PageHead title={t.call} back={back} />
        {error && <LoadError problem={error} retry={() => void refetch()} />}
      </>
    );
  }
  return <Loaded call={call} back={back} />;
}

type Back = { readonly to: string; readonly label: string };

function Loaded({ call, back }: { readonly call: CallDetailView; readonly back: Back }): ReactNode {
  const t = useTexts(developerTexts);
  const { environment } = useMe();
  const may = useMay('calls', call.entityId);
  const [isRunning, setRunning] = useState(false);
  const { paymentId, explanation, method, path } = call;
  return (
    <>
      <PageHead title={`${method} ${path}`} back={back} says={<Timestamp at={call.at} hasSeconds />}>
        {paymentId && (
          <PageLink to={`/payments/${paymentId}`} className="to dev-beside">
            {t.toPayment}
          </PageLink>
        )}
        {may && environment === 'test' && call.toFill !== null && (
          <Button variant="default" onClick={() => setRunning(true)}>
            {t.runAgain}
          </Button>
        )}
      </PageHead>
      <Explanation code={call.code} status={call.status} explanation={explanation} />
      <Section title={t.call}>
        <Known call={call} />
      </Section>
      <div className="dev-pair">
        <Section title={t.request}>
          <Fields call={call} />
        </Section>
        <Section title={t.answer}>
          {call.answer === null ? <p className="muted">{t.noAnswer}</p> : <Json value={call.answer} label={t.answer} />}
        </Section>
      </div>
      <Section title={t.curl}>
        <Curl text={call.curl} label={t.curlSays} />
      </Section>
      <RunAgain call={call} isOpen={isRunning} onClose={() => setRunning(false)} />
    </>
  );
}

function Known({ call }: { readonly call: CallDetailView }): ReactNode {
  const t = useTexts(developerTexts);
  const others = call.aboutIds.filter((id) => id !== call.paymentId);
  return (
    <Facts
      facts={[
        [
          t.status,
          <Status key="status" tone={toneOf(call.status)}>
            {call.status}
          </Status>,
        ],
        [t.code, call.code && <ResultCode code={call.code} />],
        [t.took, t.ms(String(call.ms))],
        [t.payment, call.paymentId && <Id id={call.paymentId} to={`/payments/${call.paymentId}`} />],
        [t.about, others.length > 0 && others.map((id) => <Id key={id} id={id} />)],
        ['ndc', call.ndc && <Id id={call.ndc} />],
        [t.channel, <Id key="entity" id={call.entityId} />],
        [t.user, call.who ? <Id key="who" id={call.who} /> : t.nobody],
        [t.address, call.from],
        [t.idempotency, call.hasIdempotencyKey && t.sent],
        [t.againOf, call.againOf && <Id id={call.againOf} to={`/developer/calls/${call.againOf}`} isShort />],
      ]}
    />
  );
}

function Fields({ call: { fields, unread } }: { readonly call: CallDetailView }): ReactNode {
  const t = useTexts(developerTexts);
  if (unread !== null) return <p className="muted">{unread === 'otherMedia' ? t.otherMedia : t.bodyTooLong}</p>;
  if (fields.length === 0) return <p className="muted">{t.noFields}</p>;
  return (
    <table className="dev-fields">
      <tbody>
        {fields.map(({ name, value, isMasked }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: masked names may be the same, and the list never changes
          <tr key={at}>
            <th scope="row">{name}</th>
            <td>
              {value}
              {isMasked && <span className="dev-masked">{t.masked}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
