import type { LanguageCode } from '../spec/languages.ts';
import { ar } from './labels/ar.ts';
import { be } from './labels/be.ts';
import { bg } from './labels/bg.ts';
import { cs } from './labels/cs.ts';
import { da } from './labels/da.ts';
import { de } from './labels/de.ts';
import { el } from './labels/el.ts';
import { en } from './labels/en.ts';
import { es } from './labels/es.ts';
import { fi } from './labels/fi.ts';
import { fr } from './labels/fr.ts';
import { hu } from './labels/hu.ts';
import { it } from './labels/it.ts';
import { ja } from './labels/ja.ts';
import { ko } from './labels/ko.ts';
import { nb } from './labels/nb.ts';
import { nl } from './labels/nl.ts';
import { pl } from './labels/pl.ts';
import { pt } from './labels/pt.ts';
import { ro } from './labels/ro.ts';
import { ru } from './labels/ru.ts';
import { sk } from './labels/sk.ts';
import { sl } from './labels/sl.ts';
import { sv } from './labels/sv.ts';
import { tr } from './labels/tr.ts';
import { zh } from './labels/zh.ts';
import type { Texts } from './texts.ts';

/** The texts of every language, for the gateway's own pages. A browser loads only the one it shows, so no script of the widget has this. */
export const allTexts: Readonly<Record<LanguageCode, Texts>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  da,
  fi,
  sv,
  tr,
  ja,
  sl,
  pt,
  pl,
  cs,
  hu,
  bg,
  ro,
  ru,
  zh,
  el,
  nb,
  sk,
  ar,
  ko,
  be,
};
