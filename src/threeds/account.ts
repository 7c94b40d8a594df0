import type { Registration } from '../registrations/registration.ts';
import { DAY_MS } from '../spec/time.ts';
import type { ParameterReader } from './authenticationRequest.ts';
import { addressesMatch, cut, optionalElement } from './cardholder.ts';
import { momentOf } from './messages/days.ts';

/** Age of something the shop stores: none, since this payment, under 30 days, up to 60 days, longer. */
const ages = { none: '01', now: '02', young: '03', middle: '04', old: '05' } as const;

function ageOf(since: number, now: number): string {
  const days = (now - since) / DAY_MS;
  return days < 30 ? ages.young : days <= 60 ? ages.middle : ages.old;
}

type AccountContext = { readonly registration: Pick<Registration, 'createdAt'> | null; readonly now: number };

/** The shop's information about the shopper's account; undefined when there is none. */
export function accountInfoOf(
  read: ParameterReader,
  { registration, now }: AccountContext,
): Readonly<Record<string, string>> | undefined {
  const info = {
    ...(read('customer.status') === 'NEW' && { chAccAgeInd: ages.now }),
    ...(registration
      ? { paymentAccAge: momentOf(registration.createdAt).slice(0, 8), paymentAccInd: ageOf(registration.createdAt, now) }
      : read('createRegistration') === 'true' && { paymentAccInd: ages.now }),
    ...optionalElement('shipNameIndicator', shipName(read)),
  };
  return Object.keys(info).length === 0 ? undefined : info;
}

/** 01: shipped to the customer. 02: shipped to another person. */
function shipName(read: ParameterReader): string | undefined {
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

/** The delivery of the goods; undefined when the request does not tell it. */
export function riskIndicatorOf(read: ParameterReader): Readonly<Record<string, string>> | undefined {
  const method = read('shipping.method') ?? '';
  const match = addressesMatch(read);
  const whereTo = match === undefined ? undefined : match === 'Y' ? '01' : '03';
  const indicator = {
    ...optionalElement('shipIndicator', shipIndicators[method] ?? whereTo),
    ...optionalElement('deliveryTimeframe', timeframes[method]),
    ...optionalElement('deliveryEmailAddress', cut(read('shipping.email') ?? '', 254)),
  };
  return Object.keys(indicator).length === 0 ? undefined : indicator;
}
