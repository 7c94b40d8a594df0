/** The electronic commerce indicators (ECI) of a network for each outcome. */
type Indicators = {
  readonly authenticated: string;
  readonly attempted: string;
  readonly none: string;
  /** Data was shared with the issuer without authentication. */
  readonly informational: string;
};

/** A card network with a directory server of its own. */
export type Network = {
  /** The key of `threeDSecure.v2.*` for the requestor's id and name; null when there is no such parameter. */
  readonly key: 'network1' | 'network2' | 'network3' | 'network4' | 'network5' | null;
  readonly brands: readonly string[];
  readonly eci: Indicators;
  /** Its registered application provider, by which extensions of its messages are named. */
  readonly rid: string;
  /** The scheme whose `threeDSecure.schemeData[XX-…]` is sent. */
  readonly isDomestic: boolean;
};

const five: Indicators = { authenticated: '05', attempted: '06', none: '07', informational: '07' };
const two: Indicators = { authenticated: '02', attempted: '01', none: '00', informational: '00' };
const plain = { key: null, eci: five, isDomestic: false } as const;

/** Facts 11.4: the indicators of each network. Brands that are not here have no directory server and are never authenticated. */
export const networks = {
  visa: {
    ...plain,
    key: 'network1',
    brands: ['VISA', 'VISAELECTRON', 'VISADEBIT', 'VPAY', 'CARTEBLEUE'],
    rid: 'A000000003',
  },
  mastercard: {
    ...plain,
    key: 'network2',
    brands: ['MASTER', 'MASTERDEBIT', 'MAESTRO'],
    eci: { ...two, informational: '04' },
    rid: 'A000000004',
  },
  amex: { ...plain, key: 'network3', brands: ['AMEX'], rid: 'A000000025' },
  discover: { ...plain, key: 'network4', brands: ['DISCOVER', 'DINERS'], rid: 'A000000152' },
  jcb: { ...plain, key: 'network5', brands: ['JCB'], rid: 'A000000065' },
  unionpay: { ...plain, brands: ['UNIONPAY', 'UNIONPAY_SMS'], eci: two, rid: 'A000000333' },
  cartesBancaires: { ...plain, brands: ['CARTEBANCAIRE'], rid: 'A000000042', isDomestic: true },
  mada: { ...plain, brands: ['MADA'], rid: 'A000000228' },
} as const satisfies Record<string, Network>;

export type NetworkName = keyof typeof networks;

const nameByBrand: ReadonlyMap<string, NetworkName> = new Map(
  Object.entries(networks).flatMap(([name, { brands }]) =>
    brands.map((brand): [string, NetworkName] => [brand, name as NetworkName]),
  ),
);

/** The network that authenticates cards of a brand; null when there is none. */
export const networkOf = (paymentBrand: string | null): NetworkName | null => nameByBrand.get(paymentBrand ?? '') ?? null;
