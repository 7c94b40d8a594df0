import { sealedFields } from '../vault/ports.ts';
import type { NetworkToken, Secrets } from './instrument.ts';
import type { Registration } from './registration.ts';

/** What of an instrument's secrets may be kept, sealed. Never what authenticates a single payment. */
export type StoredSecrets = {
  readonly number?: string;
  readonly iban?: string;
  readonly networkToken?: NetworkToken;
};

/** As it goes into the vault; null when there is nothing to keep. */
export function secretsText({ number, iban, networkToken }: StoredSecrets): string | null {
  return number === undefined && iban === undefined ? null : JSON.stringify({ number, iban, networkToken });
}

/** As it comes out of the vault. */
export const parseSecrets = (text: string): StoredSecrets => JSON.parse(text) as StoredSecrets;

/** The number, without which no refund is possible: what a payment keeps of its secrets. */
export const paymentSecretsText = ({ number, iban }: Secrets): string | null =>
  number === undefined && iban === undefined ? null : JSON.stringify({ number, iban });

/** Where the secrets of a registration are sealed. */
export const sealedRecordOf = ({ merchantId, entityId, id }: Pick<Registration, 'merchantId' | 'entityId' | 'id'>) =>
  ({ merchantId, entityId, recordId: id, field: sealedFields.registration }) as const;
