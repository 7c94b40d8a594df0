import { argon2, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../vault/randomBytes.ts';
import type { BreachedList } from './breachedList.ts';

/** The cost of a hash. */
export type PasswordCost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** The advice of OWASP for Argon2id: some 50 ms and 19 MiB. The cost is written into each hash, so it may grow. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const [SALT_BYTES, HASH_BYTES] = [16, 32];
const HASH = /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;
/** A flood of sign-ins must not take the threads that everything else needs, nor fill the memory with waiting requests. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 64;

/** Too many password checks are waiting. */
export class HashQueueFull extends Error {
  override readonly name = 'TooManyAtOnce';
}

type Hashing = {
  readonly vault: { digest(purpose: string, text: string): string };
  readonly random: RandomBytes;
  readonly hashQueue: HashQueue;
  readonly passwordCost: PasswordCost;
};

/** Lets a few work concurrently; the others wait. */
export type HashQueue = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createHashQueue(): HashQueue {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy >= AT_ONCE_MAX) {
      if (waiting.length >= WAITING_MAX) throw new HashQueueFull('too many passwords at once');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}

const derived = (
  { hashQueue }: Hashing,
  message: string,
  { nonce, ...cost }: PasswordCost & { readonly nonce: Uint8Array },
): Promise<Buffer> =>
  hashQueue(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', { message, nonce, ...cost, tagLength: HASH_BYTES }, (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      }),
  );

/** The vault's key is mixed in, so that a stolen database alone does not allow guessing. */
const mixed = ({ vault }: Hashing, password: string): string => vault.digest('password', password.normalize('NFKC'));

const hashText = (cost: PasswordCost, salt: Uint8Array, hash: Uint8Array): string => {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(salt)}$${text(hash)}`;
};

/** The stored hash of a password. */
export async function hashPassword(needs: Hashing, password: string): Promise<string> {
  const salt = Buffer.alloc(SALT_BYTES);
  needs.random(salt);
  const { passwordCost: cost } = needs;
  return hashText(cost, salt, await derived(needs, mixed(needs, password), { ...cost, nonce: salt }));
}

/** The hash for unknown users: no password matches it, and the check takes the same time. */
const unknownUserHash = ({ passwordCost }: Hashing): string =>
  hashText(passwordCost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** Whether the password matches the hash; undefined never matches, and costs the same work. */
export async function isPassword(needs: Hashing, password: string, kept: string | undefined): Promise<boolean> {
  const [, memory = '', passes = '', parallelism = '', salt = '', hash = ''] = HASH.exec(kept ?? unknownUserHash(needs)) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const found = await derived(needs, mixed(needs, password), { ...cost, nonce: Buffer.from(salt, 'base64url') });
  const expected = Buffer.from(hash, 'base64url');
  return found.length === expected.length && timingSafeEqual(found, expected) && kept !== undefined;
}

/** Whether the password matches one of the hashes. All of them are checked. */
async function matchesAny(needs: Hashing, password: string, kept: readonly string[]): Promise<boolean> {
  const found = await Promise.all(kept.map((hash) => isPassword(needs, password, hash)));
  return found.includes(true);
}

const PASSWORD_MIN = 15;
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

/** Whether a string is a shorter one again and again, perhaps begun once more at its end. */
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
  needs: Hashing & { readonly isBreached?: BreachedList | undefined },
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

/**
 * Long passwords that attackers try first, in small letters and without signs, digits read as letters and as they are. The list is
 * ours, made of phrases and patterns that users often choose; an operator may name a larger one.
 */
const phrases = [
  'correcthorsebatterystaple',
  'iloveyouiloveyou iloveyouforever iloveyousomuch iloveyoubaby iloveyoumore iloveyoumom iloveyoudaddy iloveyouverymuch',
  'ilovemyfamily ilovemymother ilovemychildren ilovemyhusband ilovemywife ilovemydaughter ilovemyson ilovemygirlfriend',
  'letmeinletmein letmeinplease letmeinnow pleaseletmein openthedoor opensesame opensesamenow',
  'passwordpassword passwordispassword mypasswordis mypasswordispassword thisismypassword thisisapassword thisisthepassword',
  'passwordforthissite passwordistaco notmypassword changethispassword changemepassword changemenow changemeplease',
  'defaultpassword adminpassword administrator administratoradministrator adminadminadmin rootrootrootroot superuserpassword',
  'supersecretpassword verysecretpassword topsecretpassword secretsecretsecret mysecretpassword secretpassword verysecurepassword',
  'securepassword strongpassword averystrongpassword longpassword averylongpassword reallylongpassword verylongpassword',
  'thisisaverylongpassword thisisalongpassword fifteencharacters fifteenletters onetwothreefourfive onetwothreefour',
  'onetwothreefourfivesix abcdefghijklmno abcdefghijklmnop qwertyuiopasdfgh qwertyuiopasdfghjkl qwertyqwertyqwerty',
  'qazwsxedcrfvtgb onlygodcanjudgeme inthegodwetrust ingodwetrust jesuschristislord jesusismysavior jesuslovesme godisgood',
  'godisgoodallthetime thelordismyshepherd maytheforcebewithyou theforceiswithme iamyourfather lukeiamyourfather darthvader',
  'winteriscoming youknownothing valarmorghulis tobeornottobe tobeornottobethatisthequestion hakunamatata dontworrybehappy',
  'onceuponatime happilyeverafter theendisnear helloworldhelloworld helloworld whatsmypassword idontknow idontremember',
  'iforgotmypassword forgottenpassword iforgetmypassword nevergonnagiveyouup nevergonnaletyoudown allyourbasearebelongtous',
  'thequickbrownfox thequickbrownfoxjumps thequickbrownfoxjumpsoverthelazydog loremipsumdolor loremipsumdolorsitamet',
  'manchesterunited liverpoolfootballclub bayernmuenchen bayernmunchen realmadrid borussiadortmund barcelonabarcelona',
  'youwillneverwalkalone dallascowboys newyorkyankees losangeleslakers pittsburghsteelers greenbaypackers goldenstatewarriors',
  'spongebobsquarepants mickeymouse minniemouse harrypotter harrypotterharrypotter lordoftherings starwarsstarwars',
  'supermansuperman batmanbatmanbatman spidermanspiderman captainamerica ironmanironman pokemonpokemon dragonballz',
  'ichliebedich ichliebedichsosehr ichliebedichueberalles meinpasswort meinpasswortist dasistmeinpasswort passwortpasswort',
  'passwortvergessen sicherespasswort geheimespasswort ganzgeheimespasswort geheimgeheimgeheim hallohallohallo',
  'hallowelthallowelt lassmichrein lassmichbitterein gutenmorgen gutenmorgengutenmorgen schatzschatzschatz donaudampfschifffahrt',
  'donaudampfschifffahrtsgesellschaft franzjagtimkomplettverwahrlostentaxi sommersommersommer fussballfussball',
  'fcbayernmuenchen hamburghamburg berlinberlinberlin deutschlanddeutschland oesterreichoesterreich',
  'jetaimejetaime jetaimepourtoujours motdepasse motdepassemotdepasse monmotdepasse tequieromucho teamoteamoteamo',
  'contrasenacontrasena micontrasena tiamotiamotiamo passwordpasswordpassword welcomewelcome welcomehome welcometothejungle',
  'welcomewelcomewelcome sunshinesunshine princessprincess monkeymonkeymonkey dragondragondragon footballfootball baseballbaseball',
  'mastermastermaster shadowshadowshadow trustnoonetrustnoone trustnoone computercomputer internetinternet',
  'samsungsamsung googlegooglegoogle microsoftmicrosoft windowswindows summersummersummer winterwinterwinter springspringspring',
  'mondaymondaymonday januaryfebruary januaryfebruarymarch mondaytuesdaywednesday sundaymondaytuesday',
  'creditcardnumber paymentgateway turnpiketurnpike turnpikepassword paymentspayments merchantmerchant visamastercard',
];

const replacements: readonly (readonly [digit: string, letter: string])[] = [
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['8', 'b'],
];

/** Digits, and digits with letters, that are on every list. */
const patterns = [
  '123456789012345 1234567890123456 12345678901234567890 012345678901234 987654321098765 098765432109876 111111111111111',
  '000000000000000 123123123123123 112233445566778 147258369147258 159753159753159 789456123789456 1q2w3e4r5t6y7u8 1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv 1qazxsw23edcvfr4 zaq12wsxcde34rfv qwerty123456789 qwertyuiop12345 qwertz123456789 abc123abc123abc 123qweasdzxc123',
  'q1w2e3r4t5y6u7i8 asdfghjkl123456 a1b2c3d4e5f6g7h8 password12345678 password123456789 passwort123456789 admin1234567890 welcome12345678',
];

const words = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

const read = (text: string): string => replacements.reduce((plain, [digit, letter]) => plain.replaceAll(digit, letter), text);

/** Each as it is written, and as it is read. */
const commonPasswords: ReadonlySet<string> = new Set(
  [...words(phrases), ...words(patterns)].flatMap((text) => [text, read(text)]),
);
