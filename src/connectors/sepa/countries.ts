/** Countries of the SEPA in the European Economic Area: collections there need neither BIC nor address. */
const EEA = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '));
const OTHERS = new Set('AD AL CH GB GG IM JE MC MD ME MK RS SM VA'.split(' '));
/** Territories that have IBANs of their own letters and belong to a country of the SEPA. */
const TERRITORIES = new Set('GI GF GP MQ RE YT PM BL MF AX'.split(' '));

const countryIn = (iban: string): string => iban.slice(0, 2).toUpperCase();

export const isSepaAccount = (iban: string): boolean =>
  EEA.has(countryIn(iban)) || OTHERS.has(countryIn(iban)) || TERRITORIES.has(countryIn(iban));

/** Outside the EEA the rulebooks ask for the BIC and the address of the payer or payee. */
export const needsAddress = (iban: string): boolean => OTHERS.has(countryIn(iban)) || countryIn(iban) === 'GI';
