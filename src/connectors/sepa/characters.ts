/** The characters that every bank of the SEPA accepts. */
const SAFE = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

/** Letters that Unicode does not take apart, and signs with a usual replacement. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ẞ: 'SS',
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Œ: 'OE',
  œ: 'oe',
  Ð: 'D',
  ð: 'd',
  Đ: 'D',
  đ: 'd',
  Þ: 'Th',
  þ: 'th',
  Ł: 'L',
  ł: 'l',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  Ŋ: 'N',
  ŋ: 'n',
  Ŧ: 'T',
  ŧ: 't',
  '&': '+',
  '*': '.',
  _: '-',
  '€': 'E',
  '@': '(at)',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‘': "'",
  '’': "'",
  '`': "'",
  '´': "'",
  '"': "'",
  '“': "'",
  '”': "'",
  '„': "'",
  ';': ',',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '<': '(',
  '>': ')',
};

/** Greek and Cyrillic letters as ISO 843 and ISO 9 write them without accents, in small letters. */
const ALPHABETS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
    'а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ sht ъ a ь y ю yu я ya',
    'ы y э e ё e є ye і i ї yi ґ g ј j љ lj њ nj ћ c ђ dj џ dz ѓ g ќ k ѕ dz',
  ].flatMap((line) => {
    const words = line.split(' ');
    return words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : []));
  }),
);

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function replaced(character: string): string {
  if (SAFE.test(character)) return character;
  const known = REPLACEMENTS[character];
  if (known !== undefined) return known;
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
  const small = plain.toLowerCase();
  const letter = ALPHABETS[small];
  if (letter !== undefined) return plain === small ? letter : capitalised(letter);
  if (/\s|\p{Cc}|\p{Zs}/u.test(character)) return ' ';
  return plain !== '' && plain !== character && SAFE.test(plain) ? plain : '.';
}

/** A string in the characters of the SEPA: transliterated first, then single blanks, then cut. It may be empty. */
export function sepaText(text: string, max: number): string {
  const safe = Array.from(text.normalize('NFC'), replaced).join('');
  return safe.replace(/ +/g, ' ').trim().slice(0, max).trimEnd();
}

export const isSepaText = (text: string, max: number): boolean => text.length >= 1 && text.length <= max && SAFE.test(text);

/** References must not begin or end with a slash or blank, nor contain two slashes. */
export const isSepaId = (text: string, max = 35): boolean => isSepaText(text, max) && !/^[/ ]|[/ ]$|\/\//.test(text);
