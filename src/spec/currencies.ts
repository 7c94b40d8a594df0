/**
 * The currencies of ISO 4217 that a payment can be made in, by the number of their decimals. Metals, funds codes, test and "no
 * currency" codes are not money a shopper can pay with; currencies that were withdrawn (the kuna, the lev from 2026) are gone.
 * The ouguiya and the ariary count in fifths but ISO gives them two decimals.
 */
const codes: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK
    DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD
    KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP
    PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
    USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

/** Code → decimals of the currency itself. On the wire every amount has two: see money/amount.ts. */
export const currencies: ReadonlyMap<string, number> = new Map(
  Object.entries(codes).flatMap(([digits, list]) => list.split(/\s+/).map((code): [string, number] => [code, Number(digits)])),
);

/** Whether a payment can be made in it; upper case only. */
export const isCurrency = (text: string): boolean => currencies.has(text);

/** Decimals of the currency's own smallest unit: 0 for JPY, 3 for KWD; undefined for any other text. */
export const digitsOf = (currency: string): number | undefined => currencies.get(currency);
