/**
 * How 3D Secure goes with a test card. `none`: asked for nothing. `attempt`: the issuer could not take part and vouches all the
 * same. `error`: status U. `frictionless` and `challenge` speak for themselves.
 */
export type TestAuthentication = 'none' | 'frictionless' | 'attempt' | 'error' | 'notEnrolled' | 'notParticipating' | 'challenge';

type TestCard = {
  readonly brand: string;
  readonly number: string;
  readonly threeDSecure: TestAuthentication;
  /** The issuer asks for a hidden call of its own first (3DS method). */
  readonly methodData: boolean;
  /** Issuer data the simulator knows, by its wire names. */
  readonly binCountry: string;
  readonly type: 'CREDIT' | 'DEBIT';
};

type Plays = Readonly<Partial<Record<TestAuthentication, { readonly method?: string; readonly plain?: string }>>>;

/** One brand's cards: numbers by what they play, with (`method`) and without (`plain`) method data, blanks between them. */
function cardsOf(brand: string, issuer: Pick<TestCard, 'binCountry' | 'type'>, plays: Plays): TestCard[] {
  const cards = (threeDSecure: string, numbers: string | undefined, methodData: boolean): TestCard[] =>
    (numbers?.split(' ') ?? []).map((number) => ({
      brand,
      number,
      threeDSecure: threeDSecure as TestAuthentication,
      methodData,
      ...issuer,
    }));
  return Object.entries(plays).flatMap(([play, { method, plain }]) => [
    ...cards(play, method, true),
    ...cards(play, plain, false),
  ]);
}

/** Cards of the test environment: any expiry that is not past, any CVV of the brand's length. */
export const testCards: readonly TestCard[] = [
  ...cardsOf(
    'VISA',
    { binCountry: 'US', type: 'CREDIT' },
    {
      none: { plain: '4200000000000000 4111111111111111 4711100000000000 4012000033330026' },
      frictionless: { method: '4200000000000091', plain: '4200000000000026' },
      attempt: { method: '4200000000000109', plain: '4200000000000059' },
      error: { plain: '4012001037461114' },
      notEnrolled: { plain: '4012001037141112' },
      notParticipating: { plain: '4532497088771651' },
      // The last two are enrolled for version 1 elsewhere.
      challenge: {
        method: '4200000000000042 4200000000000067',
        plain: '4200000000000018 4200000000000075 4012001036275556 4012888888881881',
      },
    },
  ),
  ...cardsOf(
    'MASTER',
    { binCountry: 'US', type: 'CREDIT' },
    {
      none: { plain: '5454545454545454' },
      frictionless: { method: '5200000000000007', plain: '5200000000000056' },
      attempt: { method: '5200000000000023', plain: '5200000000000106' },
      error: { plain: '5434580000000006' },
      notEnrolled: { plain: '5457350076543210' },
      notParticipating: { plain: '5497260847316287' },
      challenge: { method: '5200000000000015 5200000000000049', plain: '5200000000000064 5200000000000072' },
    },
  ),
  ...cardsOf(
    'AMEX',
    { binCountry: 'US', type: 'CREDIT' },
    {
      none: { plain: '377777777777770' },
      frictionless: { method: '374500262001008', plain: '375987000000062' },
      attempt: { method: '377277081382243', plain: '373953192351004' },
      error: { plain: '375987000169875' },
      notEnrolled: { plain: '375987000169883' },
      notParticipating: { plain: '343923092050144' },
      challenge: { method: '343434343434343 375987000000021', plain: '375987000169867 371449635398431' },
    },
  ),
  ...cardsOf(
    'MAESTRO',
    { binCountry: 'DE', type: 'DEBIT' },
    {
      frictionless: { method: '6761301000993772', plain: '6799851000000032' },
      attempt: { method: '6706981111111113', plain: '6007930123456780' },
      error: { plain: '6761301000941201' },
      notEnrolled: { plain: '6761301000946341' },
      notParticipating: { plain: '6761257707836567' },
      challenge: { method: '6799998900000060018 6773670009114879', plain: '67034200554565015 6759888888888888' },
    },
  ),
  // Document 3: a series with a card issued in India names its recurringType.
  ...cardsOf('VISA', { binCountry: 'IN', type: 'CREDIT' }, { none: { plain: '4386280000000004' } }),
  ...cardsOf('VISAELECTRON', { binCountry: 'GB', type: 'DEBIT' }, { none: { plain: '4917300800000000' } }),
  ...cardsOf('MADA', { binCountry: 'SA', type: 'DEBIT' }, { none: { plain: '4464040000000007' } }),
  ...cardsOf(
    'DINERS',
    { binCountry: 'US', type: 'CREDIT' },
    {
      frictionless: { method: '36177580677072' },
      challenge: { method: '36259600000004', plain: '36458811111119' },
    },
  ),
  ...cardsOf(
    'DISCOVER',
    { binCountry: 'US', type: 'CREDIT' },
    {
      frictionless: { plain: '6011010000000003' },
      attempt: { method: '6011000400001008', plain: '6011000990099818' },
      error: { plain: '6510000000001248' },
      notEnrolled: { plain: '6011025500265831' },
      notParticipating: { plain: '6011420711746440' },
      challenge: { method: '6011208701117775', plain: '6559906559906557' },
    },
  ),
  ...cardsOf(
    'JCB',
    { binCountry: 'JP', type: 'CREDIT' },
    {
      frictionless: { method: '3530111333300000', plain: '3569990012278361' },
      attempt: { method: '3566002020360505', plain: '3569990012278353' },
      error: { plain: '3566007770017510' },
      notEnrolled: { plain: '3569990012291497' },
      notParticipating: { plain: '3096023363379943' },
      challenge: { method: '3566002345432153 3569990010095916', plain: '3569990012300876 3569990012300884' },
    },
  ),
  ...cardsOf(
    'UNIONPAY',
    { binCountry: 'CN', type: 'CREDIT' },
    {
      frictionless: { method: '6250947000000014', plain: '6250947000000089' },
      attempt: { method: '6250947000000022', plain: '6250944220914108' },
      error: { plain: '6250947000000048' },
      notEnrolled: { plain: '6250947000000030' },
      challenge: { method: '6250947000000097 6250944196725207', plain: '6250949644050173 6250945882768112' },
    },
  ),
];

/**
 * Cards above that this family's platforms also list among those without 3D Secure. On a lenient channel they are paid without it, unless
 * the request has an address for the shopper to come back to.
 */
export const paidByOlderClients: ReadonlySet<string> = new Set(['6799851000000032']);

type TestBankAccount = {
  readonly brand: string;
  readonly country: string;
  readonly iban?: string;
  readonly bic?: string;
  readonly bankName?: string;
};

/** Accounts of the test environment. The accounts of Austria and Spain are with a bank that does not exist: a 0 ends a BIC for tests. */
export const testBankAccounts: readonly TestBankAccount[] = [
  { brand: 'DIRECTDEBIT_SEPA', country: 'DE', iban: 'DE23100000001234567890', bic: 'MARKDEF1100' },
  { brand: 'DIRECTDEBIT_SEPA', country: 'AT', iban: 'AT749999901234567890', bic: 'TESTATW0' },
  { brand: 'DIRECTDEBIT_SEPA', country: 'ES', iban: 'ES7899990001410123456789', bic: 'TESTESM0' },
  { brand: 'GIROPAY', country: 'DE', iban: 'DE14940593100000012346', bic: 'TESTDETT421' },
  { brand: 'IDEAL', country: 'NL', bankName: 'ING_TEST' },
  { brand: 'EPS', country: 'AT' },
  { brand: 'SOFORTUEBERWEISUNG', country: 'DE' },
  { brand: 'SOFORTUEBERWEISUNG', country: 'AT' },
];

/** The merchant's account in the test environment. No country has this code, so that no money can be transferred to it. */
export const testMerchantAccount = { holder: 'Turnpike Test Merchant', number: 'XX000000000000000000' } as const;
/** The one-time code of every challenge in the sandbox. Any other code is wrong. */
export const ONE_TIME_CODE = '123456';
