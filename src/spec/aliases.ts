/**
 * The documents write placeholders where a name contains that of a wallet or a card network; clients send the real names. Inside,
 * the placeholder is the name; replies echo the sent name.
 */
export const aliases = {
  wallets: { applePay: 'walletA', googlePay: 'walletB', samsungPay: 'walletC' },
  networks: {
    visa: 'network1',
    mastercard: 'network2',
    masterCard: 'network2',
    master: 'network2',
    amex: 'network3',
    americanExpress: 'network3',
    discover: 'network4',
    jcb: 'network5',
  },
  schemes: { CB: 'XX' },
  names: { 'authentication.entityId': 'entityId' },
} as const;

type Table = ReadonlyMap<string, string>;

const wallets: Table = new Map(Object.entries(aliases.wallets));
const networks: Table = new Map(Object.entries(aliases.networks));
const schemes: Table = new Map(Object.entries(aliases.schemes));
const names: Table = new Map(Object.entries(aliases.names));

const NETWORK = 'threeDSecure.v2.';
const SCHEME = 'threeDSecure.schemeData[';

/** The name the rows know: `applePay.source` → `walletA.source`. A name that is no alias comes back as it is. */
export function canonical(name: string): string {
  if (name.startsWith('threeDSecure.')) {
    if (name.startsWith(NETWORK)) return replaced(name, NETWORK.length, { by: networks, upTo: '.' });
    if (name.startsWith(SCHEME)) return replaced(name, SCHEME.length, { by: schemes, upTo: '-' });
    return name;
  }
  return names.get(name) ?? replaced(name, 0, { by: wallets, upTo: '.' });
}

function replaced(name: string, start: number, { by, upTo }: { by: Table; upTo: string }): string {
  const end = name.indexOf(upTo, start);
  const other = end < 0 ? undefined : by.get(name.slice(start, end));
  return other === undefined ? name : name.slice(0, start) + other + name.slice(end);
}
