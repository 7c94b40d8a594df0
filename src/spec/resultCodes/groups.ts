/** The groups that clients know, as the patterns they match codes with. No code is in two; 000.500.* is in none. */
export const resultGroups = {
  success: /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/,
  'success-manual-review': /^(000\.400\.0[^3]|000\.400\.100)/,
  pending: /^(000\.200)/,
  'pending-long': /^(800\.400\.5|100\.400\.500)/,
  '3ds-or-intercard-rejection': /^(000\.400\.[1][0-9][1-9]|000\.400\.2)/,
  'external-bank-decline': /^(800\.[17]00|800\.800\.[123])/,
  'communication-error': /^(900\.[1234]00|000\.400\.030)/,
  'system-error': /^(800\.[56]|999\.|600\.1|800\.800\.[84])/,
  'async-error': /^(100\.39[765])/,
  'soft-decline': /^(300\.100\.100)/,
  'external-risk': /^(100\.400\.[0-3]|100\.380\.100|100\.380\.11|100\.380\.4|100\.380\.5)/,
  'address-avs-validation': /^(800\.400\.1)/,
  '3ds-rejection': /^(800\.400\.2|100\.390)/,
  blacklist: /^(800\.[32])/,
  'risk-validation': /^(800\.1[123456]0)/,
  'configuration-validation': /^(600\.[23]|500\.[12]|800\.121)/,
  'registration-validation': /^(100\.[13]50)/,
  'job-validation': /^(100\.250|100\.360)/,
  'reference-validation': /^(700\.[1345][05]0)/,
  'retry-control-mac': /^(700\.600|700\.601)/,
  'format-validation': /^(200\.[123]|100\.[53][07]|800\.900|100\.[69]00\.500)/,
  'address-validation': /^(100\.800)/,
  'contact-validation': /^(100\.700|100\.900\.[123467890][0-9]{2})/,
  'account-validation': /^(100\.100|100\.2[01])/,
  'amount-validation': /^(100\.55)/,
  'risk-management': /^(100\.380\.[23]|100\.380\.101)/,
  chargeback: /^(000\.100\.2)/,
} as const;

export type ResultGroup = keyof typeof resultGroups;

const patterns = Object.entries(resultGroups) as [ResultGroup, RegExp][];

/** The group a code is in, or null. */
export function groupOf(code: string): ResultGroup | null {
  return patterns.find(([, pattern]) => pattern.test(code))?.[0] ?? null;
}
