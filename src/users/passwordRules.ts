import { commonPasswords } from './commonPasswords.ts';
import { matchesAny } from './password.ts';
import type { UserNeeds } from './ports.ts';

export const PASSWORD_MIN = 15;
/** The number of earlier passwords that cannot be chosen again. */
const BEFORE_MAX = 4;

/** Digits and signs that replace letters in passwords. `plain` reads them as those letters. */
const lookalikes: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const plain = (text: string): string =>
  [...text.normalize('NFKD').toLowerCase()]
    .map((sign) => lookalikes[sign] ?? sign)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Only signs, letters and digits that are there, without reading anything into them. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]/gu, '');

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'yxcvbnm',
  'zxcvbnm',
];
const columns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik', '9ol', '0p'];
const reversed = (text: string): string => [...text].reverse().join('');
const walks = [...rows, ...columns].flatMap((row) => [row, reversed(row)]);

/** How many signs in a row go along the keyboard or the alphabet, from here on. */
function walkAt(text: string, at: number): number {
  let most = 1;
  for (const walk of walks) {
    const start = walk.indexOf(text[at] ?? '');
    let length = 0;
    while (start >= 0 && length + start < walk.length && text[at + length] === walk[start + length]) length += 1;
    most = Math.max(most, length);
  }
  return most;
}

const WALK_MIN = 3;

/** How much is left when every walk of three or more signs counts as one, and so does every sign that is repeated. */
function surprises(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const walked = walkAt(text, at);
    let repeated = 1;
    while (text[at + repeated] === text[at]) repeated += 1;
    count += 1;
    at += Math.max(repeated, walked >= WALK_MIN ? walked : 1);
  }
  return count;
}

/** Whether a text is a shorter one again and again, perhaps begun once more at its end. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const part = text.slice(0, length);
    if (part.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

const SURPRISES_MIN = 8;
const KINDS_MIN = 5;
/** The length that must remain of a password without well-known words. */
const LEFT_MIN = 8;

/** Words from the user's name and address and from the product. */
const nearWords = ({ email, name }: About): readonly string[] =>
  [...email.split(/[@.+_-]/), ...name.split(/\s+/), 'turnpike', 'backoffice', 'payment', 'gateway', 'password', 'passwort']
    .map(plain)
    .filter((word) => word.length >= 3);

type About = { readonly email: string; readonly name: string };

/**
 * Whether a password is breached or easy to guess. It is compared with a list of well-known long ones, also
 * with other capitals, signs or digits for letters and with digits or signs behind; walks over keyboard and alphabet; repetitions;
 * and passwords that are hardly more than the name, the address or the product.
 */
export function isCommon(password: string, about: About): boolean {
  const [letters, signs] = [plain(password), bare(password)];
  const withoutTail = plain(password.replace(/[\d\p{P}\p{S}\s]+$/u, ''));
  if ([letters, signs, withoutTail].some((text) => commonPasswords.has(text))) return true;
  if (new Set(signs).size < KINDS_MIN || surprises(signs) < SURPRISES_MIN) return true;
  if (isRepeated(signs) || isRepeated(letters) || (withoutTail.length >= 6 && isRepeated(withoutTail))) return true;
  const words = nearWords(about);
  return [letters, signs].some((text) => {
    const left = words.reduce((rest, word) => rest.replaceAll(word, ''), text);
    return left.length < text.length && surprises(left) < LEFT_MIN;
  });
}

/** Why a password is not taken, as the end of a sentence; null when it is. */
export async function newPasswordFault(
  needs: UserNeeds,
  password: string,
  about: About & { readonly passwords: readonly string[] },
): Promise<string | null> {
  if ([...password].length < PASSWORD_MIN) return `must have at least ${PASSWORD_MIN} characters`;
  if (isCommon(password, about) || (await needs.isBreached?.(password)))
    return 'is one that others have lost, or that is guessed first';
  return (await matchesAny(needs, password, about.passwords)) ? `must be none of the last ${BEFORE_MAX}` : null;
}

/** The stored history of a user's passwords. */
export const passwordHistory = (hash: string, before: readonly string[]): readonly string[] =>
  [hash, ...before].slice(0, BEFORE_MAX);
