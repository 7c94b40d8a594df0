import { sealedFields } from '../vault/ports.ts';
import type { NetworkToken, Secrets } from './instrument.ts';
import type { Registration } from './registration.ts';

/** The secrets of an instrument that may be kept, sealed. They never authenticate a single payment. */
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

/** The number, which a payment keeps of its secrets because no refund is possible without it. */
export const paymentSecretsText = ({ number, iban }: Secrets): string | null =>
  number === undefined && iban === undefined ? null : JSON.stringify({ number, iban });

/** Where the secrets of a registration are sealed. */
export const sealedRecordOf = ({ merchantId, entityId, id }: Pick<Registration, 'merchantId' | 'entityId' | 'id'>) =>
  ({ merchantId, entityId, recordId: id, field: sealedFields.registration }) as const;
