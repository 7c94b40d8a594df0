import { methods } from '../paymentTypes.ts';
import { accountFields } from '../rules/instruments.ts';
import { type Brand, brands } from './brands.ts';

/** Where a brand is in use and in which currencies. Null: no limit is known. The contract of a channel decides what it may take. */
type BrandRegion = { readonly countries: readonly string[] | null; readonly currencies: readonly string[] | null };

const region = (countries: string, currencies: string): BrandRegion => ({
  countries: countries === '' ? null : countries.split(' '),
  currencies: currencies === '' ? null : currencies.split(' '),
});

const SEPA = 'AD AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA';
const argentina = region('AR', 'ARS');
const brazil = region('BR', 'BRL');
const colombia = region('CO', 'COP');
const france = region('FR', 'EUR');
const germany = region('DE', 'EUR');
const mexico = region('MX', 'MXN');
const portugal = region('PT', 'EUR');
const saudiArabia = region('SA', 'SAR');
const klarna = region('AT BE CH DE DK ES FI FR GB IT NL NO SE', 'CHF DKK EUR GBP NOK SEK');
const payolution = region('AT CH DE', 'CHF EUR');
const anywhere = region('', '');

const table: Readonly<Record<string, BrandRegion>> = {
  MADA: saudiArabia,
  DANKORT: region('DK', 'DKK'),
  BCMC: region('BE', 'EUR'),
  CARTEBANCAIRE: france,
  CARTEBLEUE: france,
  FACILYPAY_3X: france,
  FACILYPAY_3XSANSFRAIS: france,
  FACILYPAY_4X: france,
  FACILYPAY_4XSANSFRAIS: france,
  SERVIRED: region('ES', 'EUR'),
  ARGENCARD: argentina,
  CABAL: argentina,
  CENCOSUD: argentina,
  NARANJA: argentina,
  NATIVA: argentina,
  TARJETASHOPPING: argentina,
  CARNET: mexico,
  ELO: brazil,
  HIPERCARD: brazil,
  MERCADOLIVRE: brazil,

  KLARNA_PAYMENTS_PAYLATER: klarna,
  KLARNA_PAYMENTS_PAYNOW: klarna,
  KLARNA_PAYMENTS_SLICEIT: klarna,
  KLARNA_PAYMENTS_BILLPAY: klarna,
  KLARNA_INVOICE: klarna,
  KLARNA_INSTALLMENTS: klarna,
  AFFIRM: region('CA US', 'CAD USD'),
  PAYDIREKT: germany,
  RATENKAUF: germany,
  PAYOLUTION_INVOICE: payolution,
  PAYOLUTION_INS: payolution,
  PAYOLUTION_ELV: payolution,
  MBWAY: portugal,
  SIBS_MULTIBANCO: portugal,
  PAYTRAIL: region('FI', 'EUR'),
  PRZELEWY: region('PL', 'EUR PLN'),
  YANDEX: region('RU', 'RUB'),
  TENPAY: region('CN', 'CNY'),
  CHINAUNIONPAY: region('CN', 'CNY'),
  STC_PAY: saudiArabia,
  IKANOOI_SE: region('SE', 'SEK'),
  INICIS: region('KR', 'KRW'),
  PF_KARTE_DIRECT: region('CH', 'CHF'),
  SHETAB: region('IR', 'IRR'),
  BALOTO: colombia,
  EFECTY: colombia,
  BANCOLOMBIA: colombia,
  PAGO_FACIL: argentina,
  RAPI_PAGO: argentina,

  DIRECTDEBIT_SEPA: region(SEPA, 'EUR'),
  SEPA: region(SEPA, 'EUR'),
  SOFORTUEBERWEISUNG: region('AT BE CH DE ES IT NL PL', 'CHF EUR PLN'),
  GIROPAY: germany,
  EPS: region('AT', 'EUR'),
  IDEAL: region('NL', 'EUR'),
  INTERAC_ONLINE: region('CA', 'CAD'),
  POLI: region('AU NZ', 'AUD NZD'),
  BOLETO: brazil,
  BRADESCO: brazil,
  OXXO: mexico,
  SADAD: saudiArabia,
};

/** The region of a brand. */
const brandRegion = (brand: string): BrandRegion => (Object.hasOwn(table, brand) ? table[brand] : undefined) ?? anywhere;

/** The brands whose region is known. */
export const regionalBrands: readonly string[] = Object.keys(table);

/** A brand as the catalogue shows it. */
type CatalogueBrand = {
  readonly brand: string;
  readonly method: Brand['method'];
  readonly methodName: string;
  readonly account: Brand['account'];
  /** `sync`: the answer is final. `async`: the shopper is sent elsewhere first. */
  readonly workflow: Brand['workflow'];
  /** How the shopper pays later, for brands that are paid by a slip or an invoice. */
  readonly paidBy: NonNullable<Brand['paidBy']> | null;
  readonly cvvLength: number | null;
  readonly countries: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  /** The parameters that a payment of the brand must carry; `a|b` is either of two. `[n]` is every item of the cart. */
  readonly requiredParameters: readonly string[];
};

function requiredParameters(name: string, brand: Brand): readonly string[] {
  const ofItems = brand.itemExtras?.names.map((one) => one.replace('{n}', 'n')) ?? [];
  const back = brand.workflow === 'async' ? ['shopperResultUrl'] : [];
  return [...new Set([...accountFields(name, brand), ...brand.extras, ...ofItems, ...back])];
}

/** Every brand, in the order of the table. */
export const brandCatalogue: readonly CatalogueBrand[] = Object.entries(brands).map(([name, brand]) => ({
  brand: name,
  method: brand.method,
  methodName: methods[brand.method],
  account: brand.account,
  workflow: brand.workflow,
  paidBy: brand.paidBy ?? null,
  cvvLength: brand.cvvLength ?? null,
  ...brandRegion(name),
  requiredParameters: requiredParameters(name, brand),
}));
