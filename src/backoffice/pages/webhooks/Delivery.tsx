import { Button, Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DeliveryDetail, WebhookDetail } from '../../../spec/answers/webhooks.ts';
import { useMay } from '../../app/me.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { LoadError } from '../../kit/Empty.tsx';
import { Facts } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Json } from '../../kit/Json.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timeline, type TimelineEvent } from '../../kit/Timeline.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { deliveryTones, outcomeText, type Words } from './words.ts';

/** How often the panel is refreshed, and how often after a resend. */
const [EVERY_MS, RESENT_MS] = [5_000, 1_000];

type Opened = { readonly webhook: WebhookDetail; readonly deliveryId: string | null; readonly onClose: () => void };

/** One delivery: every try, and what is sent. */
export function Delivery({ webhook, deliveryId, onClose }: Opened): ReactNode {
  const t = useTexts(webhookTexts);
  const { close } = useTexts(shellTexts);
  return (
    <Drawer
      opened={deliveryId !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={t.delivery}
      closeButtonProps={{ 'aria-label': close }}
    >
      {deliveryId !== null && <Details webhook={webhook} deliveryId={deliveryId} />}
    </Drawer>
  );
}

function Details({ webhook, deliveryId }: { readonly webhook: WebhookDetail; readonly deliveryId: string }): ReactNode {
  const t = useTexts(webhookTexts);
  const may = useMay('webhooks', webhook.entityId);
  const places = { id: webhook.id, delivery: deliveryId };
  const [isResent, setResent] = useState(false);
  const { data, error, refetch } = useApiQuery('readDelivery', {}, { places, everyMs: isResent ? RESENT_MS : EVERY_MS });
  const { run, isRunning } = useApiCommand('resendDeliveries', {
    says: ({ count }) => t.resent(String(count)),
    onDone: () => setResent(true),
  });
  if (!data) return error && <LoadError problem={error} retry={() => void refetch()} />;
  return (
    <div className="stack">
      <Outcome delivery={data} />
      <Facts
        facts={[
          [t.event, <code key="event">{data.action === null ? data.type : `${data.type} ${data.action}`}</code>],
          [t.transaction, <Id key="id" id={data.transactionId} isShort {...linkOf(data)} />],
          [t.happened, <Timestamp key="at" at={data.happenedAt} hasSeconds />],
          [t.eventId, <Id key="event-id" id={data.eventId} isShort />],
        ]}
      />
      {may && (
        <div>
          <Button loading={isRunning} onClick={() => run({ values: { ids: [data.id] }, places: { id: webhook.id } })}>
            {t.resend}
          </Button>
        </div>
      )}
      <h3>{t.attempts}</h3>
      {data.tries.length === 0 ? (
        <p className="muted">{t.noAttempts}</p>
      ) : (
        <Timeline label={t.attempts} events={eventsOf(t, data)} />
      )}
      <h3>{t.body}</h3>
      {data.body === null ? <p className="muted">{t.bodyGone}</p> : <Json value={data.body} label={t.body} />}
    </div>
  );
}

/** How the delivery stands: what the receiver answered, and when it is tried again. The payment's own result is on its own page. */
function Outcome({ delivery }: { readonly delivery: DeliveryDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const { state, nextTryAt, tries } = delivery;
  const outcome = outcomeText(t, delivery);
  const isFailing = state !== 'delivered' && tries.length > 0;
  return (
    <section className="delivery-outcome" aria-label={t.outcome}>
      <Status tone={isFailing ? 'bad' : deliveryTones[state]}>{t[isFailing && state === 'due' ? 'failing' : state]}</Status>
      <p>
        {outcome}
        {outcome !== null && state !== 'delivered' && '. '}
        {state === 'due' && nextTryAt && (
          <>
            {t.nextAttemptAt} <Timestamp at={nextTryAt} hasSeconds />
          </>
        )}
        {state === 'dead' && t.gaveUp}
      </p>
    </section>
  );
}

const linkOf = ({ type, transactionId }: DeliveryDetail) => (type === 'PAYMENT' ? { to: `/payments/${transactionId}` } : {});

const eventsOf = (t: Words, { tries }: DeliveryDetail): readonly TimelineEvent[] =>
  tries.toReversed().map(({ at, status, ms, why }) => ({
    key: at,
    at,
    title: why === null ? t.attemptOk(String(status), String(ms)) : t.attemptBad(why, String(ms)),
    tone: why === null ? 'good' : 'bad',
  }));
