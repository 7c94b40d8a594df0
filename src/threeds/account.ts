import type { Registration } from '../registrations/registration.ts';
import { DAY_MS } from '../spec/time.ts';
import type { Read } from './asked.ts';
import { addressesMatch, cut, some } from './cardholder.ts';
import { momentOf } from './messages/days.ts';

/** Since when the shop has had something: not at all, since this very payment, less than 30 days, up to 60, longer. */
const ages = { none: '01', now: '02', young: '03', middle: '04', old: '05' } as const;

function ageOf(since: number, now: number): string {
  const days = (now - since) / DAY_MS;
  return days < 30 ? ages.young : days <= 60 ? ages.middle : ages.old;
}

type Known = { readonly registration: Pick<Registration, 'createdAt'> | null; readonly now: number };

/** What the shop knows about the shopper's account with it; undefined when that is nothing. */
export function accountInfoOf(read: Read, { registration, now }: Known): Readonly<Record<string, string>> | undefined {
  const info = {
    ...(read('customer.status') === 'NEW' && { chAccAgeInd: ages.now }),
    ...(registration
      ? { paymentAccAge: momentOf(registration.createdAt).slice(0, 8), paymentAccInd: ageOf(registration.createdAt, now) }
      : read('createRegistration') === 'true' && { paymentAccInd: ages.now }),
    ...some('shipNameIndicator', shipName(read)),
  };
  return Object.keys(info).length === 0 ? undefined : info;
}

/** 01: shipped to the customer himself. 02: to somebody else. */
function shipName(read: Read): string | undefined {
  if (read('shipping.customer.surname') === undefined) return undefined;
  const isSame = ['givenName', 'surname'].every((name) => read(`shipping.customer.${name}`) === read(`customer.${name}`));
  return isSame ? '01' : '02';
}

const shipIndicators: Readonly<Record<string, string>> = {
  ELECTRONIC_DELIVERY: '05',
  STORE_PICKUP: '04',
  POINT_PICKUP: '04',
  PUDO: '04',
};
const timeframes: Readonly<Record<string, string>> = {
  ELECTRONIC_DELIVERY: '01',
  SAME_DAY_SERVICE: '02',
  NEXT_DAY_OVERNIGHT: '03',
  EXPEDITED: '03',
  GROUND: '04',
  LOWEST_COST: '04',
  INTERNATIONAL: '04',
  THREE_DAY_SERVICE: '04',
  TWO_DAY_SERVICE: '04',
};

/** How the goods go out; undefined when nobody said. */
export function riskIndicatorOf(read: Read): Readonly<Record<string, string>> | undefined {
  const method = read('shipping.method') ?? '';
  const match = addressesMatch(read);
  const whereTo = match === undefined ? undefined : match === 'Y' ? '01' : '03';
  const indicator = {
    ...some('shipIndicator', shipIndicators[method] ?? whereTo),
    ...some('deliveryTimeframe', timeframes[method]),
    ...some('deliveryEmailAddress', cut(read('shipping.email') ?? '', 254)),
  };
  return Object.keys(indicator).length === 0 ? undefined : indicator;
}
