import { texts } from './texts.ts';

/** Why approval is needed, and who may approve. */
export const fourEyesTexts = texts({
  en: {
    'yours.single': (act: string, sum: string, limit: string) => `${act} of ${sum} needs approval: your limit is ${limit}.`,
    'yours.payment': (act: string, sum: string, limit: string) =>
      `${act}: your total on this payment would be ${sum}; limit ${limit}. A second user must approve it.`,
    'yours.day': (act: string, sum: string, limit: string) =>
      `${act}: your total today (UTC) would be ${sum}; limit ${limit}. A second user must approve it.`,
    'theirs.single': (sum: string, limit: string) => `${sum} exceeds the limit of ${limit}.`,
    'theirs.payment': (sum: string, limit: string) => `The user’s total on this payment would be ${sum}; limit ${limit}.`,
    'theirs.day': (sum: string, limit: string) => `The user’s total of that day (UTC) would be ${sum}; limit ${limit}.`,
    weakens: 'Weakens the approval rules.',
    limits: (before: string, after: string) => `Limits: ${before} → ${after}`,
    off: 'off',
    approvers: (names: string) => `Can be approved by: ${names}`,
    nobody: 'No other user can approve this. Give a second user a role with the right Approve.',
    more: (count: number) => `${count} more`,
    askedSecond: (names: string) => `This weakens the approval rules and needs a second user. Can be approved by: ${names}.`,
  },
  de: {
    'yours.single': (act: string, sum: string, limit: string) =>
      `${act} über ${sum} braucht eine Freigabe: das eigene Limit ist ${limit}.`,
    'yours.payment': (act: string, sum: string, limit: string) =>
      `${act}: Die eigene Summe an dieser Zahlung wäre ${sum}; Limit ${limit}. Ein zweiter Benutzer muss freigeben.`,
    'yours.day': (act: string, sum: string, limit: string) =>
      `${act}: Die eigene Summe von heute (UTC) wäre ${sum}; Limit ${limit}. Ein zweiter Benutzer muss freigeben.`,
    'theirs.single': (sum: string, limit: string) => `${sum} liegt über dem Limit von ${limit}.`,
    'theirs.payment': (sum: string, limit: string) => `Die Summe des Benutzers an dieser Zahlung wäre ${sum}; Limit ${limit}.`,
    'theirs.day': (sum: string, limit: string) => `Die Tagessumme (UTC) des Benutzers wäre ${sum}; Limit ${limit}.`,
    weakens: 'Schwächt die Freigaberegeln.',
    limits: (before: string, after: string) => `Limits: ${before} → ${after}`,
    off: 'aus',
    approvers: (names: string) => `Freigeben können: ${names}`,
    nobody: 'Kein anderer Benutzer kann das freigeben. Ein zweiter Benutzer braucht eine Rolle mit dem Recht Freigeben.',
    more: (count: number) => `${count} weitere`,
    askedSecond: (names: string) =>
      `Das schwächt die Freigaberegeln und braucht einen zweiten Benutzer. Freigeben können: ${names}.`,
  },
});

export type FourEyesWords = (typeof fourEyesTexts)['en'];

const NAMES_MAX = 3;

/** A few names, and how many more. */
export const namesText = (t: FourEyesWords, names: readonly string[]): string =>
  [...names.slice(0, NAMES_MAX), ...(names.length > NAMES_MAX ? [t.more(names.length - NAMES_MAX)] : [])].join(', ');

/** Who may approve, in a sentence. */
export const approversText = (t: FourEyesWords, names: readonly string[]): string =>
  names.length === 0 ? t.nobody : t.approvers(namesText(t, names));
