import type { Attempt } from '../../payments/ports.ts';
import type { NetworkTokens } from '../../registrations/ports.ts';
import { passesLuhn } from '../../spec/cards/cardRanges.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { Clock } from '../../spec/time.ts';
import { directivesOf } from './directives.ts';
import { isMerchantInitiated, macOf } from './series.ts';

/** The BIN of each scheme's tokens, which no test card has. The documentation prints this table. */
export const tokenRanges: Readonly<Record<string, string>> = {
  VISA: '499999',
  MASTER: '559999',
  AMEX: '349999',
  DISCOVER: '649999',
  DINERS: '399999',
  JCB: '358999',
  MAESTRO: '699999',
};

const starts: ReadonlySet<string> = new Set(Object.values(tokenRanges));
const START_LENGTH = 6;

/** A token outlives its card, because the scheme moves it to the replacement card. */
const YEARS_LONGER = 3;
const LATER_MS = 60_000;

/** 20 bytes, like card cryptograms: random bytes followed by their MAC. */
const RANDOM_BYTES = 8;
const MAC_HEX = 24;
const CRYPTOGRAM = /^[A-Za-z0-9+/]{27}=$/;
const FOREIGN_CRYPTOGRAM = /^[A-Za-z0-9+/]{26,32}={0,2}$/;
const DTVC = /^[0-9]{3,4}$/;

type TokenNeeds = { clockOf(merchantId: string): Clock; random(bytes: number): Uint8Array };

/** The token service of the sandbox's schemes. */
export function createNetworkTokens({ clockOf, random }: TokenNeeds): NetworkTokens {
  return {
    async provide(registration, { number }) {
      const { merchantId, instrument, paymentBrand, fingerprint, createdAt } = registration;
      const start = tokenRanges[paymentBrand ?? ''];
      const { networkToken } = directivesOf(registration);
      if (start === undefined || number === undefined || instrument.kind !== 'card' || fingerprint === null) return null;
      if (networkToken === 'none') return null;
      if (networkToken === 'later' && clockOf(merchantId).now() < createdAt + LATER_MS) {
        throw new Error('the scheme has no token yet');
      }
      return {
        // From the fingerprint, whose key is secret: a token derived from the number with a public key would reveal it.
        number: tokenNumber(start, number.length, fingerprint),
        expiryMonth: instrument.expiryMonth,
        expiryYear: String(Number.parseInt(instrument.expiryYear, 10) + YEARS_LONGER),
      };
    },
    async cryptogram({ number }) {
      if (!isIssued(number)) throw new Error('the token is of another scheme');
      return cryptogramOf(number, Buffer.from(random(RANDOM_BYTES)).toString('hex'));
    },
  };
}

function tokenNumber(start: string, length: number, of: string): string {
  const free = length - START_LENGTH - 1;
  const digits = BigInt(`0x${macOf('token', of)}`) % 10n ** BigInt(free);
  const body = start + String(digits).padStart(free, '0');
  for (let check = 0; check < 9; check += 1) if (passesLuhn(`${body}${check}`)) return `${body}${check}`;
  return `${body}9`;
}

const isIssued = (number: string): boolean => starts.has(number.slice(0, START_LENGTH));

function cryptogramOf(number: string, randomHex: string): string {
  const mac = macOf('cryptogram', `${number}|${randomHex}`).slice(0, MAC_HEX);
  return Buffer.from(randomHex + mac, 'hex').toString('base64');
}

/** Whether the cryptogram was made for this token. */
function isGenuine(number: string, cryptogram: string): boolean {
  if (!isIssued(number) || !CRYPTOGRAM.test(cryptogram)) return false;
  const randomHex = Buffer.from(cryptogram, 'base64').toString('hex', 0, RANDOM_BYTES);
  return cryptogramOf(number, randomHex) === cryptogram;
}

type Paying = NonNullable<Attempt['secrets']['networkToken']>;

/** Why a scheme rejects the token; null when it accepts it or when none is sent. */
export function objectionToToken(attempt: Attempt): NegativeCode | null {
  const { payment, secrets } = attempt;
  if (secrets.networkToken) return objectionToOwn(secrets.networkToken, payment.createdAt);
  const { instrument } = payment;
  return instrument?.kind === 'tokenAccount' && instrument.type === 'NETWORK' ? objectionToSent(attempt) : null;
}

function objectionToOwn(token: Paying, now: number): NegativeCode | null {
  if (!isGenuine(token.number, token.cryptogram)) return '800.100.154';
  return isPast(token, now) ? '100.100.303' : null;
}

const isPast = ({ expiryMonth, expiryYear }: Paying, now: number): boolean =>
  now >= Date.UTC(Number.parseInt(expiryYear, 10), Number.parseInt(expiryMonth, 10), 1);

/** A token that the merchant obtained elsewhere: cryptograms of our tokens are verified, of others only the format is. */
function objectionToSent({ payment, secrets, series, referenced, registration }: Attempt): NegativeCode | null {
  const { number, cryptogram, dtvc } = secrets;
  // Without its number this is a stored payment, which was checked when it arrived.
  if (number === undefined) return null;
  if (cryptogram !== undefined) {
    const isRight = isIssued(number) ? isGenuine(number, cryptogram) : FOREIGN_CRYPTOGRAM.test(cryptogram);
    return isRight ? null : '800.100.154';
  }
  if (dtvc !== undefined) return DTVC.test(dtvc) && !isIssued(number) ? null : '800.100.154';
  const isShoppers = registration === null && referenced === null && !isMerchantInitiated(series);
  const isCharged = payment.paymentType === 'PA' || payment.paymentType === 'DB';
  return isShoppers && isCharged ? '800.100.154' : null;
}
