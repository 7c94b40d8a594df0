import type { MethodCode } from './methods.ts';

/** What a payment brand is: which account it pays from, whether the shopper must leave the shop, what a request must carry. */
export type Brand = {
  readonly method: MethodCode;
  /** `wallet`: a token of a device wallet over card rails. `none`: nothing of the payer is sent. */
  readonly account: 'card' | 'bankAccount' | 'virtualAccount' | 'wallet' | 'none';
  /** `async`: the answer is pending and the shopper is sent elsewhere; shopperResultUrl is then required too. */
  readonly workflow: 'sync' | 'async';
  /** Required besides the account's own parameters, by their wire names. */
  readonly extras: readonly string[];
  /** Digits of the card's verification value. */
  readonly cvvLength?: 3 | 4;
  /** What a series of this network is told by when the request leaves it out; null where its absence means no series. */
  readonly seriesDefaults: { readonly expiry: string; readonly frequency: string } | null;
};

const plain = { workflow: 'async', extras: [], seriesDefaults: null } as const;
const credit = { ...plain, method: 'CC', account: 'card', workflow: 'sync', cvvLength: 3 } as const;
const debit = { ...credit, method: 'DC' } as const;
const wallet = { ...plain, method: 'CC', account: 'wallet', workflow: 'sync' } as const;
const virtual = { ...plain, method: 'VA', account: 'virtualAccount' } as const;
const transfer = { ...plain, method: 'OT', account: 'bankAccount' } as const;
const prepaid = { ...plain, method: 'PP', account: 'none' } as const;

const names = ['customer.givenName', 'customer.surname'] as const;
const address = ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country'] as const;
const cart = ['merchantItemId', 'name', 'quantity', 'price', 'discount', 'tax'].map((field) => `cart.items[0].${field}`);
const klarna = { ...virtual, extras: [...names, 'customer.email', ...address, ...cart] } as const;
const payolution = {
  ...virtual,
  extras: [
    ...names,
    'customer.email',
    'customer.ip',
    ...address,
    'customParameters[PAYOLUTION_ITEM_PRICE_1]',
    'customParameters[PAYOLUTION_ITEM_DESCR_1]',
  ],
} as const;
const boleto = { ...prepaid, extras: [...names, ...address, 'customParameters[BRADESCO_cpfsacado]'] } as const;

const table = {
  VISA: credit,
  // Document 3, card-on-file: the one network whose series have defaults.
  MASTER: { ...credit, seriesDefaults: { expiry: '9999-12-31', frequency: '0001' } },
  AMEX: { ...credit, cvvLength: 4 },
  MAESTRO: debit,
  DINERS: credit,
  DISCOVER: credit,
  JCB: credit,
  UNIONPAY: credit,
  UNIONPAY_SMS: debit,
  VISAELECTRON: debit,
  VISADEBIT: debit,
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
  FACILYPAY_3X: credit,
  FACILYPAY_3XSANSFRAIS: credit,
  FACILYPAY_4X: credit,
  FACILYPAY_4XSANSFRAIS: credit,

  // Encrypted token or decrypted card data: which of the two is the wallets' own rule, so no single name is required here.
  APPLEPAY: wallet,
  GOOGLEPAY: wallet,
  SAMSUNGPAY: wallet,
  CLICK_TO_PAY: wallet,

  // Ours: a virtual account of the sandbox that is paid at once, where every other virtual account sends the shopper away.
  VIRTUAL_ACCOUNT: { ...virtual, workflow: 'sync', extras: ['virtualAccount.accountId'] },
  PAYPAL: virtual,
  ALIPAY: virtual,
  PAYSAFECARD: virtual,
  MONEYBOOKERS: virtual,
  KLARNA_PAYMENTS_PAYLATER: klarna,
  KLARNA_PAYMENTS_PAYNOW: klarna,
  KLARNA_PAYMENTS_SLICEIT: klarna,
  KLARNA_PAYMENTS_BILLPAY: klarna,
  KLARNA_INVOICE: klarna,
  KLARNA_INSTALLMENTS: klarna,
  AFTERPAY: virtual,
  AFFIRM: virtual,
  PAYDIREKT: virtual,
  PAYOLUTION_INVOICE: payolution,
  PAYOLUTION_INS: payolution,
  PAYOLUTION_ELV: payolution,
  RATENKAUF: virtual,
  MASTERPASS: virtual,
  MBWAY: { ...virtual, extras: ['virtualAccount.accountId'] },
  SIBS_MULTIBANCO: virtual,
  PAYTRAIL: virtual,
  PRZELEWY: virtual,
  QIWI: virtual,
  YANDEX: virtual,
  TENPAY: virtual,
  CHINAUNIONPAY: virtual,
  TRUSTLY: virtual,
  STC_PAY: virtual,
  ONECARD: virtual,
  CASHU: virtual,
  DAOPAY: virtual,
  IKANOOI_SE: virtual,
  INICIS: virtual,
  MONEYSAFE: virtual,
  PAYBOX: virtual,
  PF_KARTE_DIRECT: virtual,
  SHETAB: virtual,
  ASTROPAY_STREAMLINE_CASH: virtual,
  ASTROPAY_STREAMLINE_OT: virtual,
  ACI_INSTANTPAY: virtual,
  BALOTO: virtual,
  EFECTY: virtual,
  BANCOLOMBIA: virtual,
  PAGO_FACIL: virtual,
  RAPI_PAGO: virtual,
  ROCKETFUEL: virtual,

  DIRECTDEBIT_SEPA: {
    ...transfer,
    method: 'DD',
    workflow: 'sync',
    extras: ['bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic', 'bankAccount.country'],
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
