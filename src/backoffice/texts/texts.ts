import { createContext, useContext } from 'react';
import type { Language } from '../../spec/answers/users.ts';
import { commonWords, type Words } from './words.ts';

/** A text, or a function that returns one. */
type Text = string | ((...about: never[]) => string);

/** The texts of an area in every language. */
export type Texts<Table> = { readonly [In in Language]: Table };

type SameAs<Table> = { readonly [Key in keyof Table]: Table[Key] extends string ? string : Table[Key] };

/** Declares the texts of an area beside the words that all areas share. English and German must have the same keys. */
export const texts = <const Table extends Readonly<Record<string, Text>>>(both: {
  readonly en: Table;
  readonly de: NoInfer<SameAs<Table>>;
}) => {
  const all = { en: { ...commonWords.en, ...both.en }, de: { ...commonWords.de, ...both.de } };
  return all as unknown as Texts<SameAs<Table> & Omit<Words, keyof Table>>;
};

export const LanguageContext = createContext<Language>('en');

/** The language of the user. */
export const useLanguage = (): Language => useContext(LanguageContext);

/** The texts of an area in the language of the user. */
export const useTexts = <Table>(of: Texts<Table>): Table => of[useLanguage()];

/** As `Intl` names it. Dates are written as Europeans do: 15 Nov 2026. */
export const localeOf = (language: Language): string => (language === 'de' ? 'de-DE' : 'en-GB');
