import type { DeliveryShown, WebhookShown } from '../../../spec/answers/webhooks.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { webhookTexts } from '../../texts/webhooks.ts';

export type Words = (typeof webhookTexts)['en'];

export const newsTypes = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'] as const;
export type NewsType = (typeof newsTypes)[number];

export const stateTones: Readonly<Record<WebhookShown['state'], Tone>> = {
  unproven: 'warn',
  active: 'good',
  paused: 'bad',
  off: 'quiet',
};

export const deliveryTones: Readonly<Record<DeliveryShown['state'], Tone>> = { due: 'accent', delivered: 'good', dead: 'bad' };

/** The event types of a webhook as text. */
export const typesText = (t: Words, types: readonly string[]): string =>
  newsTypes
    .filter((type) => types.includes(type))
    .map((type) => t[`type${type}`])
    .join(', ');
