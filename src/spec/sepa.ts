const economicArea = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK';

/** Whether a country is in the European Economic Area, where the IBAN alone names the account (Regulation (EU) 260/2012, article 5). */
export const isInEconomicArea = (country: string): boolean => economicArea.split(' ').includes(country);

/** Whether a debit or transfer needs the BIC as well as this IBAN. */
export const needsBic = (iban: string): boolean => !isInEconomicArea(iban.trim().slice(0, 2).toUpperCase());

type Announced = {
  readonly amount: string;
  readonly currency: string;
  /** `yyyy-MM-dd` */
  readonly dueOn: string;
  readonly last4: string | null;
  readonly mandateId: string;
  readonly creditorId: string;
  readonly creditorName: string;
};

const dayShown = (day: string, language: 'en' | 'de'): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

const amountShown = ({ amount, currency }: Announced, language: 'en' | 'de'): string =>
  new Intl.NumberFormat(language === 'de' ? 'de-DE' : 'en-GB', { style: 'currency', currency }).format(Number(amount));

/** The announcement that a payer must get before a direct debit. The merchant sends it. */
export function preNotification(announced: Announced, language: 'en' | 'de'): string {
  const { dueOn, last4, mandateId, creditorId, creditorName } = announced;
  const [day, amount] = [dayShown(dueOn, language), amountShown(announced, language)];
  if (language === 'de') {
    const account = last4 === null ? 'Ihrem Konto' : `Ihrem Konto mit den Endziffern ${last4}`;
    return `${creditorName} zieht am ${day} den Betrag von ${amount} per SEPA-Lastschrift von ${account} ein. Mandatsreferenz: ${mandateId}. Gläubiger-Identifikationsnummer: ${creditorId}.`;
  }
  const account = last4 === null ? 'your account' : `your account ending in ${last4}`;
  return `${creditorName} will collect ${amount} from ${account} by SEPA direct debit on ${day}. Mandate reference: ${mandateId}. Creditor identifier: ${creditorId}.`;
}
