import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleasedPackage, releasedPackages } from './packages.ts';

/** The file NOTICE: which packages of others a release contains, and their licences in full. */

const root = join(import.meta.dirname, '..', '..');
const LICENCE_FILE = /^(?:licen[cs]e|copying)(?:[.-](?:md|txt|mit))?$/i;
const RULE = '-'.repeat(80);

/** The text of a package's licence; null when the package has no file with it. */
function licenceText({ place }: ReleasedPackage): string | null {
  const folder = join(root, place);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => LICENCE_FILE.test(name)) : [];
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  const [longest] = texts.toSorted((one, other) => other.length - one.length);
  return longest === undefined
    ? null
    : longest
        .replaceAll('\r\n', '\n')
        .replace(/[ \t]+$/gm, '')
        .trim();
}

function authorOf({ place }: ReleasedPackage): string {
  type Author = string | { readonly name?: string };
  const { author = '' } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')) as { readonly author?: Author };
  const name = typeof author === 'string' ? author : (author.name ?? '');
  return name.replace(/\s*[<(].*$/, '');
}

const lineOf = (it: ReleasedPackage): string => `${it.name} ${it.version} (${it.licence})`;
const listOf = (kind: ReleasedPackage['kind'], all: readonly ReleasedPackage[]): string =>
  all
    .filter((it) => it.kind === kind)
    .map((it) => `  ${lineOf(it)}`)
    .join('\n');

function withoutText(it: ReleasedPackage): string {
  const author = authorOf(it);
  return `${lineOf(it)}${author === '' ? '' : `, by ${author}`}`;
}

/** Packages with the same text share one copy of it. */
export function noticeText(): string {
  const all = releasedPackages();
  const byText = new Map<string, ReleasedPackage[]>();
  const bare: ReleasedPackage[] = [];
  for (const it of all) {
    const text = licenceText(it);
    if (text === null) bare.push(it);
    else byText.set(text, [...(byText.get(text) ?? []), it]);
  }
  const texts = [...byText].map(([text, sharing]) => `${RULE}\n${sharing.map(lineOf).join('\n')}\n\n${text}\n`);
  return `Turnpike
Licensed under the Apache License, Version 2.0: see the file LICENSE.

npm run docs writes this file from the installed packages.

The files for browsers (back office) are built from these packages:

${listOf('browser', all)}

The server loads these packages, which are installed beside it:

${listOf('runtime', all)}

The runtime (Node.js) has its own licence and those of its parts in the file
LICENSE of its package.

These packages have no file with the text of their licence:

${bare.map((it) => `  ${withoutText(it)}`).join('\n')}

The licences of all others:

${texts.join('\n')}`;
}
