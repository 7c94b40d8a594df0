import { type Accounts, accountNames, hundredths, linesIn, type MerchantView, transactionsIn } from './recompute.ts';

/** Mistakes of bookkeeping, planted into the postings of a run: a ledger that makes them must differ from what the gateway tells the merchant. */

/** A posting, read from its line in the ledger. */
type Posted = { readonly subjectId: string; readonly kind: string; readonly currency: string; readonly sums: Accounts };

const COLUMNS_BEFORE_SUMS = 6;

function postedIn(line: string): Posted {
  const cells = line.split('|');
  const [subjectId = '', , kind = '', , currency = ''] = cells;
  const sums = cells.slice(COLUMNS_BEFORE_SUMS).map(BigInt);
  return {
    subjectId,
    kind,
    currency,
    sums: Object.fromEntries(accountNames.map((name, at) => [name, sums[at] ?? 0n])) as Accounts,
  };
}

type Fault = { readonly name: string; readonly changes: (posted: Posted, what: string) => readonly Posted[] };

const scaled = (posted: Posted, times: bigint, by = 1n): Posted => ({
  ...posted,
  sums: Object.fromEntries(accountNames.map((name) => [name, (posted.sums[name] * times) / by])) as Accounts,
});
const swapped = (posted: Posted): Posted => scaled(posted, -1n);

/** What is booked by its own rule: types, and types on what they undo where that makes a difference. */
const bookedKinds = [
  'PA',
  'DB',
  'CD',
  'CP',
  'RB',
  'RC',
  'RF',
  'RF of CD',
  'RV of PA',
  'RV of CD',
  'RV of DB',
  'RV of CP',
  'CB',
  'CR',
].concat('CB of RF', 'CB of CR', 'CB of RB', 'settlement in', 'settlement out');

const fits = (what: string, kind: string): boolean => what === kind || what.startsWith(`${kind} of `);

export const bookFaults: readonly Fault[] = [
  ...bookedKinds.map((kind) => ({
    name: `the sign of ${kind} is swapped`,
    changes: (posted: Posted, what: string) => [fits(what, kind) ? swapped(posted) : posted],
  })),
  ...bookedKinds.map((kind) => ({
    name: `${kind} is not booked`,
    changes: (posted: Posted, what: string) => (fits(what, kind) ? [] : [posted]),
  })),
  {
    name: 'fees are lost',
    changes: (posted) => {
      const { fees, acquirer, ...others } = posted.sums;
      return [{ ...posted, sums: { ...others, fees: 0n, acquirer: acquirer + fees } }];
    },
  },
  {
    name: 'fees are booked against the merchant',
    changes: (posted) => {
      const { fees, merchant, ...others } = posted.sums;
      return [{ ...posted, sums: { ...others, fees: 0n, merchant: merchant + fees } }];
    },
  },
  {
    name: 'yen are counted without hundredths',
    changes: (posted) => [posted.currency === 'JPY' ? scaled(posted, 1n, 100n) : posted],
  },
  {
    name: 'yen are counted twice in hundredths',
    changes: (posted) => [posted.currency === 'JPY' ? scaled(posted, 100n) : posted],
  },
  { name: 'dinars are counted in thousandths', changes: (posted) => [posted.currency === 'KWD' ? scaled(posted, 10n) : posted] },
  {
    name: 'captures leave the reserve as it is',
    changes: (posted, what) => [
      what.startsWith('CP') ? { ...posted, sums: { ...posted.sums, reserve: 0n, contra: 0n } } : posted,
    ],
  },
  {
    name: 'chargebacks are booked against the acquirer',
    changes: (posted) => {
      const { chargebacks, acquirer, ...others } = posted.sums;
      return [{ ...posted, sums: { ...others, chargebacks: 0n, acquirer: acquirer + chargebacks } }];
    },
  },
];

/** What a posting is about: a type and what it refers to, or the direction of a settlement. */
function labelsIn({ webhooks }: MerchantView): (posted: Posted) => string {
  const all = transactionsIn(webhooks);
  return ({ subjectId, kind, sums }) => {
    if (kind === 'settlement') return sums.merchant < 0n ? 'settlement in' : 'settlement out';
    const own = all.get(subjectId);
    const above = all.get(own?.referencedId ?? '');
    return above ? `${own?.type} of ${above.type}` : (own?.type ?? '');
  };
}

const sumOf = (postings: readonly Posted[]): ReadonlyMap<string, Accounts> => {
  const sums = new Map<string, Accounts>();
  for (const { currency, sums: its } of postings) {
    const own = sums.get(currency) ?? (Object.fromEntries(accountNames.map((name) => [name, 0n])) as Accounts);
    for (const name of accountNames) own[name] += its[name];
    sums.set(currency, own);
  }
  return sums;
};

/** The balances of the same run by a ledger with a mistake; null: by the ledger as it is. */
export function ledgerOf(view: MerchantView, lines: readonly string[]): (fault: Fault | null) => ReadonlyMap<string, Accounts> {
  const labelOf = labelsIn(view);
  const postings = lines.map(postedIn).map((posted) => ({ posted, label: labelOf(posted) }));
  return (fault) => sumOf(postings.flatMap(({ posted, label }) => fault?.changes(posted, label) ?? [posted]));
}

/** Amounts of a currency without decimals that are no whole number, in words. */
export function uncoined({ webhooks, file }: MerchantView): readonly string[] {
  const transactions = [...transactionsIn(webhooks).values()].map(({ id, currency, amount }) => ({ id, currency, amount }));
  const lines = linesIn(file).flatMap((line) =>
    [
      ['Amount', 'Currency'],
      ['SettlementAmount', 'SettlementCurrency'],
      ['SettlementFee', 'SettlementCurrency'],
    ].map(([name = '', currency = '']) => ({
      id: `${name} of ${line.UniqueID}`,
      currency: line[currency] ?? '',
      amount: hundredths(line[name] || '0.00'),
    })),
  );
  return [...transactions, ...lines].flatMap(({ id, currency, amount }) =>
    currency === 'JPY' && amount % 100n !== 0n ? [`${id}: ${amount}`] : [],
  );
}
