import type { Chance } from '../simulation/chance.ts';
import { type Family, pretty, type Version, versionOf } from './otherBanksForm.ts';

/**
 * Statements as different banks write them, among whose entries some are about payments of ours. Written from the published schemas of
 * ISO 20022 with a table of versions and an arithmetic of their own: nothing is shared with the readers.
 */

/** A payment that was sent to the bank. */
export type Own = { readonly id: string; readonly cents: bigint };

/** What must become of an entry that is not ours. `closed`: a line that needs no action. */
export type Fate = 'note' | 'unreadable' | 'exception' | 'closed';

/** What an entry does with payments of ours. `settled`: what was booked for the payment. */
export type Effect = {
  readonly id: string;
  readonly is: 'booked' | 'paid' | 'returned' | 'restored' | 'came back';
  readonly cents: bigint;
  readonly settled: bigint;
};

export type Entry = {
  readonly name: string;
  /** Its reference, which no other entry has. */
  readonly ref: string;
  readonly effects: readonly Effect[];
  readonly fate: Fate | null;
  readonly text: (version: Version) => string;
};

/** The account whose statements are written. */
export const STATEMENT_ACCOUNT = 'DE89370400440532013000';

const element = (name: string, ...inside: readonly string[]): string => `<${name}>${inside.join('')}</${name}>`;
const optional = (name: string, text: string | undefined): string => (text === undefined ? '' : element(name, text));
const money = (name: string, text: string, code = 'EUR'): string => `<${name} Ccy="${code}">${text}</${name}>`;

export const plain = (cents: bigint): string => {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** One number in the spellings of XML Schema, which all mean the same. */
export function spelt(chance: Chance, cents: bigint): string {
  const text = plain(cents);
  const spellings = [text, text, text, `${text}0`, `${text}000`, `+${text}`, `0${text}`];
  if (cents % 10n === 0n) spellings.push(text.slice(0, -1));
  if (cents % 100n === 0n) spellings.push(text.slice(0, -3), text.slice(0, -2));
  if (cents < 100n) spellings.push(text.slice(1));
  return chance.pick(spellings);
}

export type Details = {
  readonly id?: string;
  /** The amount of the detail, and the element that it stands in. */
  readonly amount?: string;
  readonly amountIn?: 'Amt' | 'TxAmt' | 'InstdAmt' | 'CntrValAmt';
  readonly instructed?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly charges?: string;
  readonly chargesCode?: string;
  /** Booked apart from the amount, which only newer versions can say. */
  readonly isChargedApart?: boolean | undefined;
  readonly name?: string;
  readonly sign?: 'CRDT' | 'DBIT';
  /** Of the payer, where it is not the account of the entry. */
  readonly payer?: string;
  /** Of the payee of what goes out; the account of the statement pays. */
  readonly payee?: string;
};

type Charge = { readonly text: string; readonly code: string; readonly isApart?: boolean | undefined };

function chargesText(version: Version, charges: readonly Charge[], total?: string): string {
  if (charges.length === 0) return '';
  const sum = total === undefined ? '' : money('TtlChrgsAndTaxAmt', total, charges[0]?.code);
  if (version.charges === 'flat') {
    const inside = charges.filter(({ isApart }) => isApart !== true);
    return inside.map(({ text, code }) => element('Chrgs', sum, money('Amt', text, code))).join('');
  }
  const records = charges.map(({ text, code, isApart }) =>
    element(
      'Rcrd',
      money('Amt', text, code),
      element('CdtDbtInd', 'DBIT'),
      isApart === undefined ? '' : element('ChrgInclInd', String(!isApart)),
    ),
  );
  return element('Chrgs', sum, ...records);
}

const account = (name: string, iban: string): string => element(name, element('Id', element('IBAN', iban)));

function detailText(version: Version, detail: Details, iban: string): string {
  const { id, amount, instructed, code = 'EUR', reason, charges, chargesCode = 'EUR', name, sign, amountIn = 'TxAmt' } = detail;
  const isOwn = amount !== undefined && (version.detailAmount || amountIn !== 'Amt');
  const place = amountIn === 'Amt' ? 'TxAmt' : amountIn;
  const amounts = new Map<string, string>();
  if (instructed !== undefined) amounts.set('InstdAmt', instructed);
  if (amount !== undefined && !(isOwn && amountIn === 'Amt')) amounts.set(place, amount);
  const amountsText = ['InstdAmt', 'TxAmt', 'CntrValAmt'].map((one) => {
    const text = amounts.get(one);
    return text === undefined ? '' : element(one, money('Amt', text, code));
  });
  const party = element('Nm', name ?? 'Somebody Else');
  return element(
    'TxDtls',
    element('Refs', optional('EndToEndId', id ?? 'NOTPROVIDED')),
    isOwn && amountIn === 'Amt' ? money('Amt', amount, code) : '',
    version.detailAmount && sign !== undefined ? element('CdtDbtInd', sign) : '',
    amounts.size === 0 ? '' : element('AmtDtls', ...amountsText),
    charges === undefined
      ? ''
      : chargesText(version, [{ text: charges, code: chargesCode, isApart: detail.isChargedApart }], charges),
    element(
      'RltdPties',
      element('Dbtr', version.party ? element('Pty', party) : party),
      account('DbtrAcct', detail.payer ?? (detail.payee === undefined ? iban : STATEMENT_ACCOUNT)),
      detail.payee === undefined ? '' : account('CdtrAcct', detail.payee),
    ),
    element('RmtInf', element('Ustrd', 'Invoice 7 &amp; thanks')),
    reason === undefined ? '' : element('RtrInf', element('Rsn', element('Cd', reason))),
  );
}

export type Given = {
  readonly ref: string;
  readonly amount: string;
  readonly currency?: string;
  readonly sign?: 'CRDT' | 'DBIT';
  readonly reversed?: 'true' | '1';
  readonly status?: string;
  /** `none`: as some banks write entries of the day. */
  readonly days: 'both' | 'booking' | 'value' | 'none';
  readonly on: string;
  readonly code: string;
  readonly charges?: readonly Charge[];
  readonly batch?: { readonly id: string; readonly count: number };
  readonly details?: readonly Details[];
  /** Each detail in an NtryDtls of its own. */
  readonly isApart?: boolean;
  readonly iban: string;
};

export const entryText =
  (given: Given) =>
  (version: Version): string => {
    const { ref, amount, currency = 'EUR', sign = 'CRDT', reversed, status = 'BOOK', days, on, code, charges = [], iban } = given;
    const [family = '', kind = ''] = code.split('/');
    const details = (given.details ?? []).map((one) => detailText(version, one, iban));
    const batch =
      given.batch && element('Btch', element('PmtInfId', given.batch.id), element('NbOfTxs', String(given.batch.count)));
    const groups = given.isApart === true && details.length > 0 ? details.map((one) => [one]) : [details];
    const day = (name: string): string =>
      element(name, version.family === '054' ? element('DtTm', `${on}T08:30:00+01:00`) : element('Dt', on));
    return element(
      'Ntry',
      money('Amt', amount, currency),
      element('CdtDbtInd', sign),
      optional('RvslInd', reversed),
      element('Sts', version.status ? element('Cd', status) : status),
      days === 'both' || days === 'booking' ? day('BookgDt') : '',
      days === 'both' || days === 'value' ? day('ValDt') : '',
      element('AcctSvcrRef', ref),
      element(
        'BkTxCd',
        element('Domn', element('Cd', 'PMNT'), element('Fmly', element('Cd', family), element('SubFmlyCd', kind))),
      ),
      chargesText(version, charges),
      ...(batch === undefined && details.length === 0
        ? []
        : groups.map((group, at) => element('NtryDtls', at === 0 ? (batch ?? '') : '', ...group))),
      element('AddtlNtryInf', 'as it was'),
    );
  };

export type Statement = {
  readonly family: Family;
  readonly version: number;
  readonly envelope: string;
  readonly mark: string;
};

/** Writes a file. `on`: the day of the statement. */
export function write({ family, version: number, envelope, mark }: Statement, entries: readonly Entry[], on: string): string {
  const version = versionOf(family, number);
  const balance = element(
    'Bal',
    element('Tp', element('CdOrPrtry', element('Cd', 'OPBD'))),
    money('Amt', '1000.005'),
    element('CdtDbtInd', 'CRDT'),
    element('Dt', element('Dt', on)),
  );
  const container = element(
    version.container,
    element('Id', mark),
    element('CreDtTm', `${on}T23:59:00+01:00`),
    element(
      'Acct',
      element('Id', element('IBAN', STATEMENT_ACCOUNT)),
      element('Svcr', element('FinInstnId', element(version.bic, 'BKAUATWW'))),
    ),
    family === '054' ? '' : balance,
    ...entries.map(({ text }) => text(version)),
  );
  const header = element('GrpHdr', element('MsgId', `B-${mark}`), element('CreDtTm', `${on}T23:59:30.123Z`));
  return pretty(version, envelope, element(version.message, header, container));
}
