import type { Call, CallsQuestion } from '../people/calls/needs.ts';
import { BrokenCommit } from './errors.ts';

export type CallRow = { readonly data: string };

export const callOf = ({ data }: CallRow): Call => JSON.parse(data) as Call;

type CallCells = readonly [
  id: string,
  merchantId: string,
  entityId: string,
  endpoint: string,
  status: number,
  code: string,
  words: string,
  data: string,
];

/** What it can be found by, whatever part of it somebody knows. */
export const wordsOf = ({ id, ndc, aboutIds, merchantTransactionId }: Call): string =>
  [id, ndc ?? '', ...aboutIds, merchantTransactionId ?? ''].join(' ').toLowerCase();

export const callCells = (call: Call): CallCells => [
  call.id,
  call.merchantId,
  call.entityId,
  call.endpoint,
  call.status,
  call.code,
  wordsOf(call),
  JSON.stringify(call),
];

export function checkCalls(calls: readonly Call[]): void {
  if (!calls.every(({ at, status }) => Number.isSafeInteger(at) && Number.isSafeInteger(status)))
    throw new BrokenCommit('a call that nobody can keep');
}

const TIME_DIGITS = 12;
const [FIRST, LAST] = ['', 'g'];
const [LOWEST, HIGHEST] = [0, 999];

/** Every id that was made before the instant is less than this, as ids begin with their time. */
export const idAt = (instant: number): string => Math.max(0, Math.ceil(instant)).toString(16).padStart(TIME_DIGITS, '0');

const least = (...ids: readonly (string | undefined)[]): string =>
  ids.filter((id) => id !== undefined).reduce((one, other) => (other < one ? other : one), LAST);
const greatest = (...ids: readonly (string | undefined)[]): string =>
  ids.filter((id) => id !== undefined).reduce((one, other) => (other > one ? other : one), FIRST);
const escaped = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, '\\$&');

/** Which list is asked for, and its cells. */
export function callsCells(asked: CallsQuestion) {
  const { whose, endpoint = '', statuses = [LOWEST, HIGHEST], code = '', text = '', paymentId = '' } = asked;
  const [name, owner] =
    'entityId' in whose
      ? (['callsOfEntity', whose.entityId] as const)
      : 'merchantId' in whose
        ? (['callsOfMerchant', whose.merchantId] as const)
        : (['callsOfMany', whose.merchantIds.join(' ')] as const);
  const cells = [
    owner,
    least(asked.after, asked.to === undefined ? undefined : idAt(asked.to)),
    greatest(asked.newer, asked.from === undefined ? undefined : idAt(asked.from)),
    endpoint,
    ...statuses,
    `${escaped(code)}%`,
    `%${escaped(text)}%`,
    `%${escaped(paymentId)}%`,
    asked.limit,
  ] as const;
  return { name, cells };
}
