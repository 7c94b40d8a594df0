import type { Control } from '../../../spec/settingRows.ts';
import type { AdministrationWords } from '../../texts/administration.ts';

const SHOWN_MAX = 60;
const LISTED_MAX = 6;

/** The word for a choice, where there is one of our own. */
export function wordOf(t: AdministrationWords, word: string): string {
  const words = t as unknown as Readonly<Record<string, string>>;
  return words[`word.${word}`] ?? word;
}

const short = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** A short form of a value; the editor shows it in full. */
export function shownValue(control: Control, value: unknown, t: AdministrationWords): string {
  if (control.is === 'list' && 'orNull' in control && value === null) return t.everything;
  if (control.is === 'flagOrNull' && value === null) return t.testOnly;
  if (isEmpty(value)) return control.is === 'list' ? t.nothing : t.unset;
  if (value === null) return t.nothing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'string') return control.is === 'choice' ? wordOf(t, value) : short(value);
  if (Array.isArray(value) && control.is === 'list') {
    const more = value.length - LISTED_MAX;
    return value.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` +${more}` : '');
  }
  if (control.is === 'table' || control.is === 'amounts') {
    return short(
      Object.entries(value as Readonly<Record<string, string>>)
        .map(([key, text]) => `${key}: ${text}`)
        .join(', '),
    );
  }
  if (control.is === 'members') {
    const { kind = '', host = '' } = value as Readonly<Record<string, string>>;
    return `${wordOf(t, kind)} ${host}`;
  }
  return short(JSON.stringify(value));
}
