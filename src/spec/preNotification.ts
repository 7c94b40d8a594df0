/** What a payer must know before a direct debit, as a text that the merchant can send. */

export type Announced = {
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
