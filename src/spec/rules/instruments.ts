import { conversionFault, convertibleCountries } from '../accountNumbers.ts';
import { type Brand, brands, type ItemExtras } from '../cards/brands.ts';
import type { EndpointName } from '../endpoints.ts';
import { cartItems } from '../parameters/cart.ts';
import { needsBic } from '../sepa.ts';
import { absent, type Finding, type Rule, requiredWhen, type Sent } from './rule.ts';

const CARD = ['card.number', 'card.expiryMonth', 'card.expiryYear'];
const PROOF = ['threeDSecure.verificationId', 'threeDSecure.eci'];
const WALLETS = ['walletA', 'walletB', 'walletC'];
const under = (prefix: string, fields: string): string[] => fields.split(' ').map((field) => `${prefix}.${field}`);

/** The parameters that name an instrument. A card holder may stand beside any of them. */
const instruments = {
  card: [...CARD, 'card.cvv', 'card.numberType'],
  wallet: [...WALLETS.flatMap((wallet) => under(wallet, 'paymentToken source')), 'walletA.cardNetwork', 'walletA.cardType'],
  virtualAccount: ['virtualAccount.accountId'],
  bankAccount: under('bankAccount', 'holder bankName number iban bankCode bic country mandate.id mandate.dateOfSignature'),
  tokenAccount: under('tokenAccount', 'number type expiryMonth expiryYear cryptogram dtvc'),
} as const satisfies Record<string, readonly string[]>;

type Instrument = keyof typeof instruments;

/** Where an instrument may be sent. A payment with stored details has one already. */
const sentAnew: readonly EndpointName[] = ['pay', 'refer', 'register', 'authenticate'];
/** Where it has to be. */
const begun: readonly EndpointName[] = ['pay', 'register', 'authenticate'];

/**
 * The instruments of a brand by its account. A card brand is also paid by a wallet or by a token that stands for such a card;
 * a brand that needs no instrument accepts the payer's bank. A gift card conflicts with none: it may also be the purchased item.
 */
const suited: Readonly<Record<Brand['account'], readonly Instrument[]>> = {
  card: ['card', 'wallet', 'tokenAccount'],
  wallet: ['wallet', 'card'],
  virtualAccount: ['virtualAccount'],
  bankAccount: ['bankAccount'],
  giftCard: [],
  none: ['bankAccount'],
};

/** Brands of a device's wallet and the structure that carries each. */
const walletOf: ReadonlyMap<string, string> = new Map([
  ['APPLEPAY', 'walletA'],
  ['GOOGLEPAY', 'walletB'],
  ['SAMSUNGPAY', 'walletC'],
]);

const instrumentNames = Object.keys(instruments) as Instrument[];
const isThere = (sent: Sent, instrument: Instrument): boolean => instruments[instrument].some((name) => sent.has(name));
const refusing = (sent: Sent, names: readonly string[], message: string): readonly Finding[] =>
  names.filter((name) => sent.has(name)).map((name) => ({ name, message }));

/** Instruments the brand is not paid with; then, of two that exclude each other, the later one of the table above. */
function contradictions(sent: Sent): readonly Finding[] {
  const brandName = sent.text('paymentBrand') ?? '';
  const account = brands[brandName]?.account;
  const present = instrumentNames.filter((instrument) => isThere(sent, instrument));
  const isSuited = (instrument: Instrument): boolean => account === undefined || suited[account].includes(instrument);
  const [first, ...others] = present.filter(isSuited);
  const wallet = walletOf.get(brandName);
  const otherWallets = wallet === undefined ? [] : instruments.wallet.filter((name) => !name.startsWith(`${wallet}.`));
  const strange = [...present.filter((instrument) => !isSuited(instrument)).flatMap((one) => instruments[one]), ...otherWallets];
  const conflicting = others
    .filter((instrument) => first !== 'card' || instrument !== 'wallet')
    .flatMap((one) => instruments[one]);
  return [
    ...refusing(sent, strange, `must not be sent with paymentBrand ${brandName}`),
    ...refusing(sent, conflicting, `must not be sent with ${first && instruments[first].find((name) => sent.has(name))}`),
  ];
}

const BIC = 'bankAccount.bic';

/** Whether a bank finds the account by its IBAN alone. */
function isFoundByIban(sent: Sent): boolean {
  const iban = sent.text('bankAccount.iban');
  return iban !== undefined && !needsBic(iban);
}

/** The parameters of the account that a payment of this brand must carry; `a|b` is either of two. */
export function accountFields(name: string, brand: Brand): readonly string[] {
  const wallet = walletOf.get(name);
  if (wallet !== undefined) return [`${wallet}.paymentToken|${wallet}.source`];
  if (brand.account === 'card' || brand.account === 'wallet') return CARD;
  if (!isDrawn(brand)) return [];
  return ['bankAccount.holder', 'bankAccount.iban|bankAccount.number', 'bankAccount.bic|bankAccount.bankCode'];
}

/** The requirements of a brand: its account, its extras, and a way back for a shopper who is sent away. */
const missing = (sent: Sent): readonly Finding[] => missingWith(sent, extrasOf);

/** The same on a lenient channel, which takes the beginning of an invoice without the address. */
const missingLeniently = (sent: Sent): readonly Finding[] =>
  missingWith(sent, (brand, all) => brand.lenientExtras ?? extrasOf(brand, all));

/** The same where a lenient channel stores a payer: nobody is sent away. */
const missingOfPayer = (sent: Sent): readonly Finding[] =>
  missingLeniently(sent).filter(
    ({ name }) => name !== 'shopperResultUrl' || brands[sent.text('paymentBrand') ?? '']?.payer === undefined,
  );

function missingWith(sent: Sent, extras: typeof extrasOf): readonly Finding[] {
  const name = sent.text('paymentBrand') ?? '';
  const brand = brands[name];
  if (!brand) return [];
  const needed = [...extras(brand, sent), ...(brand.workflow === 'async' ? ['shopperResultUrl'] : [])];
  const wallet = walletOf.get(name);
  if (wallet !== undefined) {
    if (!sent.has(`${wallet}.source`)) needed.push(`${wallet}.paymentToken`);
  } else if ((brand.account === 'card' || brand.account === 'wallet') && lacksCard(sent)) needed.push(...CARD);
  if (isDrawn(brand)) {
    needed.push('bankAccount.holder');
    if (!sent.has('bankAccount.number')) needed.push('bankAccount.iban');
    if (!sent.has('bankAccount.bankCode')) needed.push(BIC);
  }
  const asked = brand.account === 'bankAccount' && isFoundByIban(sent) ? needed.filter((one) => one !== BIC) : needed;
  return asked.length === 0 ? [] : absent(sent, asked, () => requiredWhen(`paymentBrand is ${name}`));
}

/** Whether a part of the card is absent, and nothing that stands for a card was sent. Most cards are whole: that is asked first. */
const lacksCard = (sent: Sent): boolean =>
  !CARD.every((name) => sent.has(name)) && !isThere(sent, 'wallet') && !isThere(sent, 'tokenAccount');

/** The BIC of an account that a bank finds without it. */
function missingBic(sent: Sent): readonly Finding[] {
  const name = sent.text('paymentBrand') ?? '';
  const brand = brands[name];
  const isAsked = brand?.extras.includes(BIC) || (brand && isDrawn(brand) && !sent.has('bankAccount.bankCode'));
  return isAsked && isFoundByIban(sent) ? [{ name: BIC, message: requiredWhen(`paymentBrand is ${name}`) }] : [];
}

/** A SEPA debit is drawn by IBAN: account number and bank code are enough only where they give one. */
function unconvertible(sent: Sent): readonly Finding[] {
  const [country, number] = [sent.text('bankAccount.country'), sent.text('bankAccount.number')];
  if (brands[sent.text('paymentBrand') ?? '']?.method !== 'DD' || country === undefined || number === undefined) return [];
  if (!convertibleCountries.includes(country)) {
    const condition = `bankAccount.country is ${country}: an account number becomes an IBAN in ${convertibleCountries.join(', ')} only`;
    return [{ name: 'bankAccount.iban', message: requiredWhen(condition) }];
  }
  const bankCode = sent.text('bankAccount.bankCode');
  if (bankCode === undefined) return absent(sent, ['bankAccount.bankCode'], () => requiredWhen('bankAccount.number is sent'));
  const fault = conversionFault({ country, bankCode, number });
  return fault === null ? [] : [{ name: `bankAccount.${fault.of}`, message: fault.message }];
}

/** The parameters of an account that storing it requires and a payment does not. */
function unstorable(sent: Sent): readonly Finding[] {
  const brand = sent.text('paymentBrand') ?? '';
  const account = brands[brand]?.account;
  const message = () => requiredWhen(`paymentBrand is ${brand}`);
  if (brands[brand]?.payer !== undefined) return [];
  if (account === 'none' || account === 'giftCard')
    return [{ name: 'paymentBrand', message: 'must be a brand whose payment details can be stored' }];
  if (account === 'virtualAccount') return absent(sent, instruments.virtualAccount, message);
  return account === 'bankAccount' && !sent.has('bankAccount.number') ? absent(sent, ['bankAccount.iban'], message) : [];
}

/** Debits and transfers that the gateway starts. For other brands the shopper enters the account at the bank. */
const isDrawn = (brand: Brand): boolean => brand.account === 'bankAccount' && (brand.method === 'DD' || brand.method === 'CT');

/** On a lenient channel the fields of instruments that a brand does not use are dropped. */
const unusedRules: readonly Rule[] = (['card', 'virtualAccount', 'bankAccount', 'none'] as const).map((account): Rule => {
  const names = instrumentNames.filter((name) => !suited[account].includes(name)).flatMap((name) => instruments[name]);
  const ofAccount = Object.keys(brands).filter((name) => brands[name]?.account === account);
  return {
    title: `On a lenient channel instruments that a brand of type ${account} does not use are ignored.`,
    when: names,
    on: sentAnew,
    isLenientOnly: true,
    is: { paymentBrand: ofAccount },
    ignores: names,
    decision: '0011-dispatching-and-leniency.md',
  };
});

const walletRules: readonly Rule[] = WALLETS.flatMap((wallet): Rule[] => [
  {
    title: `${wallet}.paymentToken is not allowed with card data.`,
    when: [`${wallet}.paymentToken`],
    on: sentAnew,
    forbids: [`${wallet}.source`, ...instruments.card, ...PROOF],
  },
  {
    title: `${wallet}.source requires card data and its 3D Secure proof.`,
    when: [`${wallet}.source`],
    on: sentAnew,
    unless: [`${wallet}.paymentToken`],
    needs: [...CARD, ...PROOF],
  },
]);

/** Which instrument pays, and what belongs to it: document 2, card account to bank account. */
export const instrumentRules: readonly Rule[] = [
  ...unusedRules,
  {
    title: 'paymentBrand is a known brand.',
    when: ['paymentBrand'],
    finds: (sent) => {
      const name = sent.text('paymentBrand');
      return name === undefined || brands[name] ? [] : [{ name: 'paymentBrand', message: 'must be a known payment brand' }];
    },
  },
  {
    title: 'paymentBrand is required without a card, wallet or token.',
    when: [],
    on: begun,
    unless: ['paymentBrand', 'card.number', 'referenceUuid', ...instruments.wallet, ...instruments.tokenAccount],
    finds: () => [{ name: 'paymentBrand', message: requiredWhen('no card, wallet or token is sent') }],
  },
  {
    title: 'Only one instrument may be sent, and it must suit the brand.',
    when: [...instruments.wallet, ...instruments.virtualAccount, ...instruments.bankAccount, ...instruments.tokenAccount],
    on: sentAnew,
    finds: contradictions,
  },
  {
    title: 'A card is allowed only with brands of cards and wallets.',
    when: instruments.card,
    finds: (sent) => {
      const name = sent.text('paymentBrand') ?? '';
      const isCards = suited[brands[name]?.account ?? 'card'].includes('card');
      return isCards ? [] : refusing(sent, instruments.card, `must not be sent with paymentBrand ${name}`);
    },
  },
  {
    title: 'A brand requires its account, its extra parameters and, with a redirect, shopperResultUrl.',
    when: ['paymentBrand'],
    on: begun,
    unless: ['referenceUuid'],
    isDescriptive: true,
    finds: missing,
  },
  {
    title: 'On a lenient channel an invoice requires names and country instead of all extra parameters.',
    when: ['paymentBrand'],
    on: ['pay', 'authenticate'],
    unless: ['referenceUuid'],
    isLenientOnly: true,
    finds: missingLeniently,
    decision: '0011-dispatching-and-leniency.md',
  },
  {
    title: 'On a lenient channel a payer of prepaid slips is stored without shopperResultUrl.',
    when: ['paymentBrand'],
    on: ['register'],
    unless: ['referenceUuid'],
    isLenientOnly: true,
    finds: missingOfPayer,
    decision: '0011-dispatching-and-leniency.md',
  },
  {
    title: 'A SEPA debit without an IBAN requires an account number and bank code that give one.',
    when: ['bankAccount.number'],
    on: sentAnew,
    unless: ['bankAccount.iban'],
    finds: unconvertible,
  },
  {
    title: 'A strict channel requires the BIC also where a bank finds the account by its IBAN alone.',
    when: ['bankAccount.iban'],
    on: begun,
    unless: ['referenceUuid', BIC],
    isDescriptive: true,
    finds: missingBic,
    decision: '0045-bic-of-a-shopper.md',
  },
  {
    title: 'Only accounts that can be charged again can be stored.',
    when: ['paymentBrand'],
    on: ['register'],
    finds: unstorable,
  },
  {
    title: 'A card requires number, expiry month and expiry year.',
    when: instruments.card,
    on: begun,
    unless: WALLETS.map((wallet) => `${wallet}.paymentToken`),
    needs: CARD,
  },
  ...walletRules,
  {
    title: 'Only one wallet may be sent.',
    when: instruments.wallet,
    on: sentAnew,
    finds: (sent) => {
      const [first, ...others] = WALLETS.filter((wallet) => under(wallet, 'paymentToken source').some((name) => sent.has(name)));
      const names = others.flatMap((wallet) => under(wallet, 'paymentToken source'));
      return refusing(sent, names, `must not be sent with ${first}`);
    },
  },
  {
    title: 'walletA.cardNetwork and walletA.cardType require walletA.paymentToken.',
    when: ['walletA.cardNetwork', 'walletA.cardType'],
    on: sentAnew,
    needs: ['walletA.paymentToken'],
  },
  {
    title: 'The date of signature requires the mandate id.',
    when: ['bankAccount.mandate.dateOfSignature'],
    needs: ['bankAccount.mandate.id'],
  },
  {
    title: 'GIROPAY requires a German account.',
    when: ['bankAccount.country'],
    is: { paymentBrand: ['GIROPAY'] },
    allows: { 'bankAccount.country': ['DE'] },
  },
  {
    title: 'IDEAL requires a Dutch account.',
    when: ['bankAccount.country'],
    is: { paymentBrand: ['IDEAL'] },
    allows: { 'bankAccount.country': ['NL'] },
  },
  {
    title: 'MBWAY requires a Portuguese mobile number.',
    when: ['virtualAccount.accountId'],
    is: { paymentBrand: ['MBWAY'] },
    matches: { 'virtualAccount.accountId': { pattern: /^351#9[0-9]{8}$/, message: 'must be 351#9 followed by 8 digits' } },
  },
];

/** The rows under which items come: whatever is sent of one makes it an item. */
const ROWS = [...Object.keys(cartItems), 'customParameters[name]'];

/** The extras of a brand besides its account, with the extras of every item by name. */
function extrasOf({ extras, itemExtras }: Brand, sent: Sent): readonly string[] {
  if (!itemExtras) return extras;
  const { names } = itemExtras;
  return [...extras, ...numbersOf(itemExtras, sent).flatMap((number) => names.map((name) => name.replace('{n}', number)))];
}

function numbersOf({ first, seenBy }: ItemExtras, sent: Sent): readonly string[] {
  const seen = ROWS.flatMap((row) => sent.all(row)).flatMap(({ name }) => seenBy.exec(name)?.[1] ?? []);
  return seen.length === 0 ? [String(first)] : [...new Set(seen)];
}
