import type { MethodCode } from '../paymentTypes.ts';

/** A payment brand: the account it pays from, whether the shopper must leave the shop, and the parameters that a request needs. */
export type Brand = {
  readonly method: MethodCode;
  /** `wallet`: a token of a device wallet over card rails. `none`: nothing of the payer is sent. */
  readonly account: 'card' | 'bankAccount' | 'virtualAccount' | 'giftCard' | 'wallet' | 'none';
  /** `async`: the answer is pending and the shopper is sent elsewhere; shopperResultUrl is then required too. */
  readonly workflow: 'sync' | 'async';
  /** Required besides the account's own parameters, by their wire names. */
  readonly extras: readonly string[];
  /** The requirements of a lenient channel; the shopper's page asks for the other parameters. */
  readonly lenientExtras?: readonly string[];
  /** Required of every item that is sent; of the first one when none is. */
  readonly itemExtras?: ItemExtras;
  /**
   * How an asynchronous brand is paid later. `slip`: the shopper gets an account or a reference and pays within days. `invoice`: the
   * shopper agrees to pay later, and the payment is approved immediately.
   */
  readonly paidBy?: 'slip' | 'invoice';
  /** Of a brand without an account: the parameter by which its payer is stored. */
  readonly payer?: string;
  /** Paid with a phone: by its number, or by a code that it reads off the screen. Without a number it is the code. */
  readonly isByPhoneOrCode?: true;
  /** Digits of the card's verification value. */
  readonly cvvLength?: 3 | 4;
  /** Defaults for a series of this network when the request has none; null: without them there is no series. */
  readonly seriesDefaults: { readonly expiry: string; readonly frequency: string } | null;
  /** Countries whose cards need standingInstruction.recurringType in a series of type RECURRING. */
  readonly recurringTypeIn?: readonly string[];
};

/** The numbers of items begin with `first`; a parameter that matches `seenBy` shows one, and `{n}` stands for it in the names. */
export type ItemExtras = { readonly first: 0 | 1; readonly seenBy: RegExp; readonly names: readonly string[] };

const plain = { workflow: 'async', extras: [], seriesDefaults: null } as const;
const credit = { ...plain, method: 'CC', account: 'card', workflow: 'sync', cvvLength: 3 } as const;
const debit = { ...credit, method: 'DC' } as const;
/** Document 3, card-on-file: this network must know of Indian cards whether the amount of a series is fixed. */
const named = { recurringTypeIn: ['IN'] } as const;
const wallet = { ...plain, method: 'CC', account: 'wallet', workflow: 'sync' } as const;
const virtual = { ...plain, method: 'VA', account: 'virtualAccount' } as const;
const transfer = { ...plain, method: 'OT', account: 'bankAccount' } as const;
const prepaid = { ...plain, method: 'PP', account: 'none', paidBy: 'slip' } as const;
/** A slip to pay in cash or at a machine. Clients expect these among the virtual accounts. */
const voucher = { ...virtual, paidBy: 'slip' } as const;
/** Purchase on account: the shopper has an account at the provider and pays the provider's invoice. */
const invoice = { ...virtual, method: 'IV', paidBy: 'invoice' } as const;

const names = ['customer.givenName', 'customer.surname'] as const;
const address = ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country'] as const;
/** Enough to begin. */
const beginning = { lenientExtras: [...names, 'billing.country'] } as const;
const klarna = {
  ...beginning,
  extras: [...names, 'customer.email', ...address],
  itemExtras: {
    first: 0,
    seenBy: /^cart\.items\[([0-9]{1,4})\]/,
    names: ['merchantItemId', 'name', 'quantity', 'price', 'discount', 'tax'].map((field) => `cart.items[{n}].${field}`),
  },
} as const;
const payolution = {
  ...beginning,
  extras: [...names, 'customer.email', 'customer.ip', ...address],
  itemExtras: {
    first: 1,
    seenBy: /^customParameters\[PAYOLUTION_ITEM_(?:PRICE|DESCR)_([0-9]{1,4})\]$/,
    names: ['PRICE', 'DESCR'].map((field) => `customParameters[PAYOLUTION_ITEM_${field}_{n}]`),
  },
} as const;
const TAX_NUMBER = 'customParameters[BRADESCO_cpfsacado]';
const boleto = { ...prepaid, payer: TAX_NUMBER, extras: [...names, ...address, TAX_NUMBER] } as const;

const table = {
  VISA: { ...credit, ...named },
  // Document 3, card-on-file: the one network whose series have defaults.
  MASTER: { ...credit, seriesDefaults: { expiry: '9999-12-31', frequency: '0001' } },
  AMEX: { ...credit, cvvLength: 4 },
  MAESTRO: debit,
  DINERS: credit,
  DISCOVER: credit,
  JCB: credit,
  UNIONPAY: credit,
  UNIONPAY_SMS: debit,
  VISAELECTRON: { ...debit, ...named },
  VISADEBIT: { ...debit, ...named },
  MASTERDEBIT: debit,
  VPAY: debit,
  MADA: debit,
  DANKORT: debit,
  BCMC: debit,
  CARTEBANCAIRE: credit,
  CARTEBLEUE: credit,
  SERVIRED: credit,
  AIRPLUS: credit,
  ALIA: credit,
  ALIADEBIT: debit,
  ARGENCARD: credit,
  CABAL: credit,
  CARNET: credit,
  CENCOSUD: credit,
  ELO: credit,
  HIPERCARD: credit,
  MERCADOLIVRE: credit,
  NARANJA: credit,
  NATIVA: credit,
  TARJETASHOPPING: credit,
  TCARD: credit,
  TCARDDEBIT: debit,
  ASYACARD: credit,
  AXESS: credit,
  BONUS: credit,
  WORLD: credit,
  FACILYPAY_3X: credit,
  FACILYPAY_3XSANSFRAIS: credit,
  FACILYPAY_4X: credit,
  FACILYPAY_4XSANSFRAIS: credit,

  // Encrypted token or decrypted card data: which of the two is the wallets' own rule, so no single name is required here.
  APPLEPAY: wallet,
  GOOGLEPAY: wallet,
  SAMSUNGPAY: wallet,
  CLICK_TO_PAY: wallet,

  // Ours: a virtual account of the sandbox that is paid immediately, where every other virtual account sends the shopper away.
  VIRTUAL_ACCOUNT: { ...virtual, workflow: 'sync', extras: ['virtualAccount.accountId'] },
  // The word that cart.payments has for it. Its money lies at a shop, neither at a bank nor behind a card: its method is that of accounts.
  GIFTCARD: { ...plain, method: 'VA', account: 'giftCard', workflow: 'sync', extras: ['giftCard.number'] },
  // Wallets, instalments and transfers that clients know as virtual accounts keep that method; there is none of its own for instalments.
  PAYPAL: virtual,
  ALIPAY: virtual,
  PAYSAFECARD: virtual,
  MONEYBOOKERS: virtual,
  KLARNA_PAYMENTS_PAYLATER: { ...invoice, ...klarna },
  KLARNA_PAYMENTS_PAYNOW: { ...virtual, ...klarna },
  KLARNA_PAYMENTS_SLICEIT: { ...virtual, ...klarna },
  KLARNA_PAYMENTS_BILLPAY: { ...invoice, ...klarna },
  KLARNA_INVOICE: { ...invoice, ...klarna },
  KLARNA_INSTALLMENTS: { ...virtual, ...klarna },
  AFTERPAY: invoice,
  AFFIRM: virtual,
  PAYDIREKT: virtual,
  PAYOLUTION_INVOICE: { ...invoice, ...payolution },
  PAYOLUTION_INS: { ...virtual, ...payolution },
  PAYOLUTION_ELV: { ...virtual, ...payolution },
  RATENKAUF: virtual,
  MASTERPASS: virtual,
  MBWAY: { ...virtual, extras: ['virtualAccount.accountId'] },
  SIBS_MULTIBANCO: voucher,
  PAYTRAIL: virtual,
  PRZELEWY: virtual,
  QIWI: virtual,
  YANDEX: virtual,
  TENPAY: virtual,
  CHINAUNIONPAY: virtual,
  TRUSTLY: virtual,
  STC_PAY: { ...virtual, isByPhoneOrCode: true },
  ONECARD: virtual,
  CASHU: virtual,
  DAOPAY: virtual,
  IKANOOI_SE: invoice,
  INICIS: virtual,
  MONEYSAFE: virtual,
  PAYBOX: virtual,
  PF_KARTE_DIRECT: virtual,
  SHETAB: virtual,
  ASTROPAY_STREAMLINE_CASH: voucher,
  ASTROPAY_STREAMLINE_OT: virtual,
  ACI_INSTANTPAY: virtual,
  BALOTO: voucher,
  EFECTY: voucher,
  BANCOLOMBIA: virtual,
  PAGO_FACIL: voucher,
  RAPI_PAGO: voucher,
  ROCKETFUEL: virtual,
  UKASH: virtual,

  DIRECTDEBIT_SEPA: {
    ...transfer,
    method: 'DD',
    workflow: 'sync',
    extras: ['bankAccount.holder', 'bankAccount.country'],
  },
  SOFORTUEBERWEISUNG: { ...transfer, extras: ['bankAccount.country'] },
  GIROPAY: { ...transfer, extras: ['bankAccount.bic', 'bankAccount.iban', 'bankAccount.country'] },
  EPS: { ...transfer, extras: ['bankAccount.country'] },
  IDEAL: { ...transfer, extras: ['bankAccount.bankName', 'bankAccount.country'] },
  INTERAC_ONLINE: transfer,
  POLI: transfer,
  ENTERCASH: transfer,
  TRUSTPAY_VA: { ...transfer, extras: names },
  SEPA: { ...transfer, method: 'CT' },
  PREPAYMENT: prepaid,
  BOLETO: boleto,
  BRADESCO: boleto,
  OXXO: prepaid,
  SADAD: prepaid,
  BITCOIN: prepaid,
} as const satisfies Record<string, Brand>;

/** The brands that clients send as paymentBrand. Without a prototype, so that `constructor` is no brand. */
export const brands: Readonly<Record<string, Brand>> = Object.assign(Object.create(null), table);

/**
 * Whether the shopper is sent elsewhere, to pay or to agree to a registration, which is charged without a redirect afterwards. A stored
 * payer agrees to nothing and pays each slip.
 */
export function isPaidElsewhere(paymentBrand: string | null, paymentType: string, isStored: boolean): boolean {
  const brand = brands[paymentBrand ?? ''];
  if (brand?.workflow !== 'async') return false;
  return brand.payer === undefined ? !isStored : paymentType !== 'RG';
}
