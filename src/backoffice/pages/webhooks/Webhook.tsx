import type { ReactNode } from 'react';
import type { WebhookDetail } from '../../../spec/answers/webhooks.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useMe } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { LoadError } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp, useDateText } from '../../kit/Timestamp.tsx';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Deliveries, ResendFailed } from './Deliveries.tsx';
import { TestButton, WebhookActions } from './WebhookActions.tsx';
import { stateTones, typesText } from './words.ts';

/** One webhook: how it is, what can be done with it, and what was delivered to it. */
export function Webhook(): ReactNode {
  const t = useTexts(webhookTexts);
  const { id = '' } = useAddress().params;
  const { data, error, refetch } = useApiQuery('readWebhook', {}, { places: { id }, everyMs: 10_000 });
  const back = { to: '/webhooks', label: t.back };
  if (!data) {
    return (
      <>
        <PageHead title={t.title} back={back} />
        {error && <LoadError problem={error} retry={() => void refetch()} />}
      </>
    );
  }
  return <Shown webhook={data} />;
}

function Shown({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const may = useMay('webhooks', webhook.entityId);
  return (
    <>
      <PageHead
        title={webhook.name}
        says={<Status tone={stateTones[webhook.state]}>{t[webhook.state]}</Status>}
        back={{ to: '/webhooks', label: t.back }}
      >
        {may && <WebhookActions webhook={webhook} />}
      </PageHead>
      {webhook.state === 'unproven' && <Untested webhook={webhook} may={may} />}
      <About webhook={webhook} />
      <Section title={t.deliveries} actions={<ResendFailed webhook={webhook} />}>
        <Deliveries webhook={webhook} />
      </Section>
    </>
  );
}

/** A webhook gets no events before a successful test: the page says so, with the button beside it. */
function Untested({ webhook, may }: { readonly webhook: WebhookDetail; readonly may: boolean }): ReactNode {
  const t = useTexts(webhookTexts);
  return (
    <div className="notice" role="status">
      <p>{t.untested}</p>
      {may && <TestButton webhook={webhook} />}
    </div>
  );
}

function About({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const { entities } = useMe();
  const dateText = useDateText();
  const { keys, types, fields, wrapper, why, failingSince, createdAt, changedAt, url, entityId, id, state } = webhook;
  const keyText = ({ createdAt: since, until }: (typeof keys)[number]) =>
    [t.keySince(dateText(since)), ...(until === null ? [] : [t.keyUntil(dateText(until))])].join(', ');
  return (
    <Facts
      facts={[
        [t.url, <code key="url">{url}</code>],
        [t.why, state === 'unproven' ? null : why],
        [t.failingSince, failingSince && <Timestamp at={failingSince} hasSeconds />],
        [t.types, typesText(t, types)],
        [t.fields, t[`fields${fields}`]],
        [t.wrapper, t[`wrapper${wrapper}`]],
        [t.entity, entities.find((one) => one.id === entityId)?.name ?? entityId],
        [t.keys, keys.map(keyText).join('; ')],
        [t.createdAt, <Timestamp key="created" at={createdAt} hasSeconds />],
        [t.changed, <Timestamp key="changed" at={changedAt} hasSeconds />],
        ['ID', <Id key="id" id={id} />],
      ]}
    />
  );
}
