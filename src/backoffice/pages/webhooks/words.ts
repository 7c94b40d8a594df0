import type { DeliveryShown, WebhookShown } from '../../../spec/answers/webhooks.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { webhookTexts } from '../../texts/webhooks.ts';

export type Words = (typeof webhookTexts)['en'];

export const eventTypes = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'] as const;
export type EventType = (typeof eventTypes)[number];

export const stateTones: Readonly<Record<WebhookShown['state'], Tone>> = {
  unproven: 'warn',
  active: 'good',
  paused: 'bad',
  off: 'quiet',
};

/** The last answer of the receiver: `500 from your server`; null: nothing was sent yet. */
export function outcomeText(t: Words, { tries }: Pick<DeliveryShown, 'tries'>): string | null {
  const last = tries.at(-1);
  if (!last) return null;
  return last.status === null ? t.noAnswer : t.answered(String(last.status));
}

export const deliveryTones: Readonly<Record<DeliveryShown['state'], Tone>> = { due: 'accent', delivered: 'good', dead: 'bad' };

/** The event types of a webhook as text. */
export const typesText = (t: Words, types: readonly string[]): string =>
  eventTypes
    .filter((type) => types.includes(type))
    .map((type) => t[`type${type}`])
    .join(', ');
