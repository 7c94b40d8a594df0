/**
 * The books of a merchant, recomputed from what the gateway tells a merchant: webhooks and the reconciliation file. This file imports nothing, so that no
 * mistake of the gateway can repeat itself here: its arithmetic, its table of signs and its reading of results and files are its own.
 */

export const accountNames = ['shopper', 'reserve', 'contra', 'merchant', 'acquirer', 'fees', 'chargebacks'] as const;
export type Accounts = Record<(typeof accountNames)[number], bigint>;

/** A transaction as the merchant's server knows it after all webhooks. */
export type Transaction = {
  readonly id: string;
  readonly type: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly referencedId: string | null;
  /** Why a payment names another one, where it is no part of it: `NO_SHOW` and the like. */
  readonly practice: string | null;
  readonly state: 'approved' | 'pending' | 'declined';
};

type Payload = {
  readonly id: string;
  readonly paymentType: string;
  readonly referencedId?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly result: { readonly code: string };
  readonly standingInstruction?: { readonly industryPractice?: string };
};

/** `92.00` → 9200. Every amount of the API has two decimals, whatever the currency: 100.00 JPY are 100 yen. */
export function hundredths(text: string): bigint {
  const parts = /^(-?)([0-9]+)\.([0-9]{2})$/.exec(text);
  if (!parts) throw new Error(`${text} is no amount with two decimals`);
  const size = BigInt(`${parts[2]}${parts[3]}`);
  return parts[1] === '-' ? -size : size;
}

function stateOf(code: string, type: string): Transaction['state'] {
  if (/^(000\.200|800\.400\.5|100\.400\.500)/.test(code)) return 'pending';
  if (type === 'CB' && code.startsWith('000.100.2')) return 'approved';
  return /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.(0[^3]|100|[1][12]0))/.test(code) ? 'approved' : 'declined';
}

/** The last word about each transaction. Events of one payment arrive in order; a repeated one changes nothing. */
export function transactionsIn(webhooks: readonly string[]): ReadonlyMap<string, Transaction> {
  const known = new Map<string, Transaction>();
  for (const text of webhooks) {
    const { type, payload } = JSON.parse(text) as { readonly type: string; readonly payload: Payload };
    if (type !== 'PAYMENT') continue;
    // decisions/0101: a webhook about a declined or pending payment has them too.
    const { id, amount, currency } = payload;
    if (amount === undefined || currency === undefined) throw new Error(`the webhook about ${id} has no amount or no currency`);
    const state = stateOf(payload.result.code, payload.paymentType);
    if (state === 'pending' && known.has(payload.id)) continue;
    known.set(id, {
      id,
      type: payload.paymentType,
      currency,
      amount: hundredths(amount),
      referencedId: payload.referencedId ?? null,
      practice: payload.standingInstruction?.industryPractice ?? null,
      state,
    });
  }
  return known;
}

/** Who has the money afterwards, by document 1: + to the merchant, − to the shopper, 0 where none moves. */
const TO_MERCHANT: Readonly<Record<string, bigint>> = { DB: 1n, CP: 1n, RB: 1n, RC: 1n, PA: 0n, CD: -1n, RF: -1n };
const IN_FLIGHT: Readonly<Record<string, bigint>> = { ...TO_MERCHANT, PA: 1n };

/** Above the chargebacks and their reversals: what they are about. */
export function aboutOf(all: ReadonlyMap<string, Transaction>, { referencedId }: Transaction): Transaction | null {
  const above = referencedId === null ? null : (all.get(referencedId) ?? null);
  return above !== null && (above.type === 'CB' || above.type === 'CR') ? aboutOf(all, above) : above;
}

/** The sign of a transaction for the merchant. What is taken back has the opposite sign of what it is about. */
function signOf(all: ReadonlyMap<string, Transaction>, transaction: Transaction): bigint {
  const own = TO_MERCHANT[transaction.type];
  if (own !== undefined) return own;
  const about = aboutOf(all, transaction);
  const above = about === null ? 0n : (TO_MERCHANT[about.type] ?? 0n);
  if (transaction.type === 'RV' || transaction.type === 'CB') return -above;
  return transaction.type === 'CR' ? above : 0n;
}

function flightOf(all: ReadonlyMap<string, Transaction>, transaction: Transaction): bigint {
  if (transaction.type !== 'RV') return IN_FLIGHT[transaction.type] ?? signOf(all, transaction);
  const about = aboutOf(all, transaction);
  return about === null ? 0n : -(IN_FLIGHT[about.type] ?? 0n);
}

/** What a transaction takes from an authorisation, or adds to it. */
function reserveSign(all: ReadonlyMap<string, Transaction>, transaction: Transaction): bigint {
  if (transaction.type === 'PA') return 1n;
  if (transaction.type === 'CP' || transaction.type === 'RC') return -1n;
  return transaction.type === 'RV' && aboutOf(all, transaction)?.type === 'PA' ? -1n : 0n;
}

/** The lines of a reconciliation file by the names of its columns. */
export function linesIn(file: string): readonly Readonly<Record<string, string>>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of file.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n"]*))(;|\r\n|\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ';' && end !== '') rows.push([]);
    if (end === '') break;
  }
  const [names = [], ...lines] = rows.filter((row) => row.length > 1);
  return lines.map((line) => Object.fromEntries(names.map((name, at) => [name, line[at] ?? ''])));
}

export type MerchantView = { readonly webhooks: readonly string[]; readonly file: string };

const isFee = (line: Readonly<Record<string, string>>): boolean =>
  line.ReconciliationType === 'FEE' || (line.PaymentType ?? '').endsWith('_FEE');
const isBooked = (line: Readonly<Record<string, string>>): boolean =>
  line.MatchingStatus === 'MATCHED' && line.SettlementStatus === 'SUCCESS';
const cellOf = (line: Readonly<Record<string, string>>, name: string): bigint => hundredths(line[name] || '0.00');
const signOfLine = ({ Cashflow }: Readonly<Record<string, string>>): bigint => (Cashflow === 'NEG' ? -1n : 1n);

/** The accounts by currency. */
export function recompute({ webhooks, file }: MerchantView): ReadonlyMap<string, Accounts> {
  const books = new Map<string, Accounts>();
  const of = (currency: string): Accounts => {
    const known = books.get(currency) ?? {
      shopper: 0n,
      reserve: 0n,
      contra: 0n,
      merchant: 0n,
      acquirer: 0n,
      fees: 0n,
      chargebacks: 0n,
    };
    books.set(currency, known);
    return known;
  };
  const all = transactionsIn(webhooks);
  for (const transaction of all.values()) {
    const { type, currency, amount, state } = transaction;
    if (state === 'declined' || !(type in IN_FLIGHT || ['RV', 'CB', 'CR'].includes(type))) continue;
    const sums = of(currency);
    if (state === 'pending') {
      sums.shopper += flightOf(all, transaction) * amount;
      sums.contra -= flightOf(all, transaction) * amount;
      continue;
    }
    const [merchant, reserve] = [signOf(all, transaction) * amount, reserveSign(all, transaction) * amount];
    sums.merchant += merchant;
    sums[type === 'CB' || type === 'CR' ? 'chargebacks' : 'acquirer'] -= merchant;
    sums.reserve += reserve;
    sums.contra -= reserve;
  }
  for (const line of linesIn(file).filter(isBooked)) {
    const sums = of(line.Currency ?? '');
    const sign = signOfLine(line);
    const [whole, arrived] = [isFee(line) ? 0n : sign * cellOf(line, 'Amount'), sign * cellOf(line, 'SettlementAmount')];
    const rate = hundredths(line.SettlementFxRate || '1.00');
    const isExchanged = !isFee(line) && line.Currency !== line.SettlementCurrency;
    const kept = isExchanged ? (cellOf(line, 'SettlementFee') * 100n) / rate : whole - arrived;
    sums.merchant -= whole;
    sums.fees += kept;
    sums.acquirer += whole - kept;
  }
  return books;
}

/** Everything that the acquirer has not squared: transactions and lines that differ, in words. None when everything is settled. */
export function unsquared({ webhooks, file }: MerchantView): readonly string[] {
  const all = transactionsIn(webhooks);
  const due = new Map<string, bigint>();
  const add = (id: string, amount: bigint) => due.set(id, (due.get(id) ?? 0n) + amount);
  for (const transaction of all.values()) {
    if (transaction.state !== 'approved') continue;
    const isReversal = transaction.type === 'RV';
    add(isReversal ? (transaction.referencedId ?? '') : transaction.id, signOf(all, transaction) * transaction.amount);
  }
  for (const line of linesIn(file).filter((one) => isBooked(one) && !isFee(one)))
    add(line.ChargebackId || line.UniqueID || '', -signOfLine(line) * cellOf(line, 'Amount'));
  return [...due].flatMap(([id, rest]) =>
    rest === 0n ? [] : [`${all.get(id)?.type ?? 'an unknown payment'} ${id}: ${rest} of it are not settled`],
  );
}
