import { createClient } from 'turnpike/client';

/** The options of the provider in medusa-config.ts. */
export type TurnpikeOptions = {
  /** The gateway, as the shop's server reaches it: `https://pay.example`. */
  readonly url: string;
  /** The gateway as browsers reach it. Default: `url`. */
  readonly publicUrl?: string;
  /** The access token of the merchant. */
  readonly token: string;
  /** The channel, or the merchant. */
  readonly entityId: string;
  /** The key of the webhook, 64 hexadecimal digits; during a rotation the old and the new one, with a comma between. */
  readonly webhookKey: string;
  /** `PA` holds the money until the order is captured; `DB` takes it at once. Default: `PA`. */
  readonly paymentType?: 'PA' | 'DB';
};

const KEYS = /^[0-9a-f]{64}(?:,[0-9a-f]{64})*$/i;
const required = ['url', 'token', 'entityId', 'webhookKey'] as const;

/** Throws an error that names the wrong option and not its value: it may be a secret. */
export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  for (const name of required)
    if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`turnpike: the option ${name} is missing`);
  const { url, publicUrl = url, token, entityId, webhookKey, paymentType = 'PA' } = options as TurnpikeOptions;
  if (!/^[0-9a-f]{32}$/.test(entityId)) throw new TypeError('turnpike: entityId must be 32 hexadecimal digits');
  if (!KEYS.test(webhookKey)) throw new TypeError('turnpike: webhookKey must be 64 hexadecimal digits');
  if (!['PA', 'DB'].includes(paymentType)) throw new TypeError('turnpike: paymentType must be PA or DB');
  // The client has the rules of the address and of the token.
  for (const address of [url, publicUrl]) createClient({ url: address, token, entityId });
}
