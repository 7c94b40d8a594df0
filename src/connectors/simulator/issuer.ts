import type { NegativeCode } from '../../spec/resultCodes.ts';

/** How an issuer of cards words a decline: its response code, and what the scheme advises the merchant to do about it. */
type Wording = { readonly response: string; readonly advice?: string };

const FIX_DATA = '01';
const WAIT_72_HOURS = '02';
const NEVER = '03';
const RECURRING_CANCELLED = '21';
const WAIT_1_HOUR = '24';
const WAIT_24_HOURS = '25';
const WAIT_2_DAYS = '26';

const wordings: Readonly<Partial<Record<NegativeCode, Wording>>> = {
  '300.100.100': { response: '1A', advice: FIX_DATA },
  '800.100.100': { response: '05' },
  '800.100.151': { response: '14', advice: NEVER },
  '800.100.152': { response: '05', advice: WAIT_72_HOURS },
  '800.100.153': { response: 'N7', advice: FIX_DATA },
  '800.100.154': { response: '12', advice: NEVER },
  '800.100.155': { response: '51', advice: WAIT_24_HOURS },
  '800.100.156': { response: '30', advice: FIX_DATA },
  '800.100.157': { response: '54', advice: FIX_DATA },
  '800.100.158': { response: '59', advice: NEVER },
  '800.100.159': { response: '43', advice: NEVER },
  '800.100.160': { response: '62', advice: NEVER },
  '800.100.161': { response: '75', advice: WAIT_24_HOURS },
  '800.100.162': { response: '61', advice: WAIT_24_HOURS },
  '800.100.163': { response: '65', advice: WAIT_24_HOURS },
  '800.100.165': { response: '41', advice: NEVER },
  '800.100.166': { response: '55', advice: FIX_DATA },
  '800.100.167': { response: '25', advice: FIX_DATA },
  '800.100.168': { response: '62', advice: NEVER },
  '800.100.170': { response: '57', advice: NEVER },
  '800.100.171': { response: '04', advice: NEVER },
  '800.100.172': { response: '78', advice: NEVER },
  '800.100.174': { response: '13', advice: FIX_DATA },
  '800.100.176': { response: '91', advice: WAIT_1_HOUR },
  '800.100.178': { response: '75', advice: FIX_DATA },
  '800.100.179': { response: '65', advice: WAIT_2_DAYS },
  '800.100.192': { response: 'N7', advice: FIX_DATA },
  '800.100.202': { response: '46', advice: NEVER },
  '800.100.203': { response: '51', advice: WAIT_24_HOURS },
  '800.100.500': { response: 'R0', advice: RECURRING_CANCELLED },
  '800.100.501': { response: 'R1', advice: RECURRING_CANCELLED },
  '900.100.400': { response: '68', advice: WAIT_1_HOUR },
  '900.100.500': { response: '68', advice: WAIT_1_HOUR },
  '900.100.600': { response: '91', advice: WAIT_1_HOUR },
};

const OTHERWISE: Wording = { response: '05' };

/** What a card's issuer says with a decline; null where the code is of somebody who never asked an issuer. */
export function issuerSays(code: NegativeCode): Wording | null {
  return wordings[code] ?? (code.startsWith('800.100.') ? OTHERWISE : null);
}
