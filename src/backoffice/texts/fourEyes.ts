import { texts } from './texts.ts';

/** Why a second person is needed, and who that may be. */
export const fourEyesTexts = texts({
  en: {
    'yours.single': (act: string, sum: string, limit: string) =>
      `${act} of ${sum} needs a second person: your limit is ${limit}.`,
    'yours.payment': (act: string, sum: string, limit: string) =>
      `${act}: this brings your total on this payment to ${sum}; limit ${limit}. A second person must approve it.`,
    'yours.day': (act: string, sum: string, limit: string) =>
      `${act}: this brings your total today (UTC) to ${sum}; limit ${limit}. A second person must approve it.`,
    'theirs.single': (sum: string, limit: string) => `${sum} is above the limit of ${limit}.`,
    'theirs.payment': (sum: string, limit: string) => `Brings the user’s total on this payment to ${sum}; limit ${limit}.`,
    'theirs.day': (sum: string, limit: string) => `Brings the user’s total of that day (UTC) to ${sum}; limit ${limit}.`,
    weakens: 'Weakens the approvals.',
    limits: (before: string, after: string) => `Limits: ${before} → ${after}`,
    off: 'off',
    approvers: (names: string) => `May approve: ${names}`,
    nobody: 'Nobody else may approve here. Give a second person a role with the right to approve.',
    more: (count: number) => `${count} more`,
    askedSecond: (names: string) => `This weakens the approvals and waits for a second person. May approve: ${names}.`,
  },
  de: {
    'yours.single': (act: string, sum: string, limit: string) =>
      `${act} über ${sum} braucht eine zweite Person: Die eigene Grenze ist ${limit}.`,
    'yours.payment': (act: string, sum: string, limit: string) =>
      `${act}: Damit liegt die eigene Summe an dieser Zahlung bei ${sum}; Grenze ${limit}. Eine zweite Person muss freigeben.`,
    'yours.day': (act: string, sum: string, limit: string) =>
      `${act}: Damit liegt die eigene Summe von heute (UTC) bei ${sum}; Grenze ${limit}. Eine zweite Person muss freigeben.`,
    'theirs.single': (sum: string, limit: string) => `${sum} liegt über der Grenze von ${limit}.`,
    'theirs.payment': (sum: string, limit: string) =>
      `Damit liegt die Summe der Person an dieser Zahlung bei ${sum}; Grenze ${limit}.`,
    'theirs.day': (sum: string, limit: string) => `Damit liegt die Tagessumme (UTC) der Person bei ${sum}; Grenze ${limit}.`,
    weakens: 'Schwächt die Freigaben.',
    limits: (before: string, after: string) => `Grenzen: ${before} → ${after}`,
    off: 'aus',
    approvers: (names: string) => `Freigeben können: ${names}`,
    nobody: 'Niemand sonst kann hier freigeben. Eine zweite Person braucht eine Rolle mit dem Recht Freigeben.',
    more: (count: number) => `${count} weitere`,
    askedSecond: (names: string) => `Das schwächt die Freigaben und wartet auf eine zweite Person. Freigeben können: ${names}.`,
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
