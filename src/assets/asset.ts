import { hash } from 'node:crypto';

/** Files for browsers, as the server holds them. */

/** One file of the widget as it is served. */
export type Built = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };

/** All files of one build, and its name, which changes with every byte. */
export type Build = { readonly name: string; readonly files: readonly Built[] };

/** One file of the back office, compressed in advance. Its name contains its hash. */
export type OfficeFile = {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly gzip: Uint8Array;
  readonly brotli: Uint8Array;
};

/** Everything that the browser is given, and what the first page names. */
export type Office = {
  readonly files: ReadonlyMap<string, OfficeFile>;
  readonly script: string;
  readonly style: string;
  /** The sheet of the calendar, for the few pages that open one. */
  readonly calendar: string;
  /** The static imports of the script, for preload hints. */
  readonly preloads: readonly string[];
  /** The frame around the pages of signed-in users, and what it imports. */
  readonly frame: readonly string[];
};

/** The digest that a browser compares a script with. */
export const integrityOf = (bytes: Uint8Array | string): string => `sha384-${hash('sha384', bytes, 'base64')}`;
