/** Countries of the European Economic Area: a bank finds the account by its IBAN alone there (Regulation (EU) 260/2012, article 5). */
const economicArea = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK';

/** Whether a debit or transfer needs the BIC beside this IBAN. */
export const needsBic = (iban: string): boolean => !economicArea.split(' ').includes(iban.trim().slice(0, 2).toUpperCase());
