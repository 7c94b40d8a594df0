import { isRecord } from '../../runtime/json.ts';
import { isCountryNumeric } from '../../spec/countries.ts';
import { currencyByNumber } from '../../wallets/text.ts';
import type { Version } from './message.ts';

/** The format of a data element. `code`: the error code of a violation. */
export type Check = {
  readonly says: string;
  readonly fits: (value: unknown, version: Version) => boolean;
  readonly code?: '304';
};

const fitting = (says: string, fits: (text: string, version: Version) => boolean): Check => ({
  says,
  fits: (value, version) => typeof value === 'string' && fits(value, version),
});
const matching = (says: string, pattern: RegExp): Check => fitting(says, (text) => pattern.test(text));

export const text = (max: number, min = 1): Check =>
  fitting(`${min} to ${max} characters`, (value) => value.length >= min && value.length <= max);
export const digits = (max: number, min = max): Check =>
  matching(`${min} to ${max} digits`, new RegExp(`^[0-9]{${min},${max}}$`));
export const oneOf = (...values: readonly string[]): Check =>
  fitting(`one of ${values.join(', ')}`, (value) => values.includes(value));

/** Codes of two digits, by the last one that a version knows. From 80 on they belong to the directory server. */
export const codes = (last: Readonly<Record<Version, number>>, isOpen = true): Check =>
  fitting(`a code from 01 to ${last['2.2.0']}`, (value, version) => {
    if (!/^[0-9]{2}$/.test(value)) return false;
    const code = Number(value);
    return (code >= 1 && code <= last[version]) || (isOpen && code >= 80);
  });
export const codesTo = (last: number, isOpen = true): Check => codes({ '2.1.0': last, '2.2.0': last }, isOpen);

export const flag: Check = { says: 'true or false', fits: (value) => typeof value === 'boolean' };
export const yesNo = oneOf('Y', 'N');
export const uuid = matching('a UUID', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);

export const url = (max: number): Check =>
  fitting(`an address of at most ${max} characters`, (value) => {
    if (value.length > max || !/^https?:\/\//i.test(value)) return false;
    return URL.canParse(value);
  });

/** Twenty bytes in base64. */
export const proof = fitting('20 bytes in base64', (value) => {
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 20 && bytes.toString('base64') === value;
});

export const country: Check = {
  ...fitting('a numeric country code of ISO 3166-1', (value) => isCountryNumeric(value)),
  code: '304',
};
export const currency: Check = {
  ...fitting('a numeric currency code of ISO 4217', (value) => currencyByNumber.has(value)),
  code: '304',
};
export const day = fitting('a day YYYYMMDD', isDay);
export const moment = fitting('a moment YYYYMMDDHHMMSS', (value) => {
  const clock = value.slice(8);
  return isDay(value.slice(0, 8)) && /^(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]$/.test(clock);
});
export const yearMonth = matching('a month YYMM', /^[0-9]{2}(?:0[1-9]|1[0-2])$/);
export const timeZone = matching('minutes between UTC and local time', /^[+-]?[0-9]{1,4}$/);
export const colorDepth = oneOf('1', '4', '8', '15', '16', '24', '32', '48');
export const instalments = fitting(
  'a number above 1 of at most 3 digits',
  (value) => /^[0-9]{1,3}$/.test(value) && Number(value) > 1,
);
export const minutes = fitting('00001 to 10080', (value) => /^[0-9]{5}$/.test(value) && value >= '00001' && value <= '10080');

export const object: Check = { says: 'an object', fits: isRecord };
export const phone: Check = {
  says: 'a country code of 1 to 3 digits and a number of 1 to 15',
  fits: (value) => isRecord(value) && /^[0-9]{1,3}$/.test(String(value.cc)) && /^[0-9]{1,15}$/.test(String(value.subscriber)),
};

export const protocolVersion = matching('a version such as 2.2.0', /^[0-9]\.[0-9]{1,2}\.[0-9]{1,2}$/);

const rangeEnd = digits(19, 13);
const methodUrl = url(256);

/** A deleted range needs only its bounds. */
function isRange(value: unknown, version: Version): boolean {
  if (!isRecord(value)) return false;
  const { startRange, endRange, actionInd = 'A', acsStartProtocolVersion, acsEndProtocolVersion, threeDSMethodURL } = value;
  if (typeof startRange !== 'string' || typeof endRange !== 'string') return false;
  if (!rangeEnd.fits(startRange, version) || startRange.length !== endRange.length) return false;
  if (!rangeEnd.fits(endRange, version) || startRange > endRange) return false;
  if (actionInd === 'D') return true;
  const isKnown = actionInd === 'A' || (actionInd === 'M' && version !== '2.1.0');
  const hasVersions = [acsStartProtocolVersion, acsEndProtocolVersion].every((one) => protocolVersion.fits(one, version));
  return isKnown && hasVersions && (threeDSMethodURL === undefined || methodUrl.fits(threeDSMethodURL, version));
}

export const cardRanges: Check = {
  says: 'a list of ranges with startRange, endRange and the versions of their issuers',
  fits: (value, version) => Array.isArray(value) && value.every((item) => isRange(item, version)),
};

const EXTENSIONS_MAX = 10;
const EXTENSION_CHARACTERS_MAX = 8059;
export const extensions: Check = {
  says: 'at most 10 extensions with name, id, criticalityIndicator and data',
  fits: (value) =>
    Array.isArray(value) &&
    value.length <= EXTENSIONS_MAX &&
    value.every(
      (item) =>
        isRecord(item) &&
        text(64).fits(item.name, '2.2.0') &&
        text(64).fits(item.id, '2.2.0') &&
        typeof item.criticalityIndicator === 'boolean' &&
        isRecord(item.data) &&
        JSON.stringify(item.data).length <= EXTENSION_CHARACTERS_MAX,
    ),
};

/** A day of the calendar as YYYYMMDD, 99991231 included. */
export function isDay(text: string): boolean {
  const parts = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text);
  if (!parts) return false;
  const [, year = '', month = '', day = ''] = parts;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** `2031-02-28` → `20310228`. */
export const dayOf = (date: string): string => date.replaceAll('-', '');

/** An instant as YYYYMMDDHHMMSS in UTC. */
export const momentOf = (instant: number): string => new Date(instant).toISOString().replaceAll(/[-T:]|\..*$/g, '');
