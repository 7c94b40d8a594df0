/** An object parsed from JSON. Read it only through the functions below: they ignore the prototype. */
export type JsonObject = { readonly [name: string]: unknown };

const DEPTH_MAX = 16;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes canonical base64 with padding; any other encoding of the same bytes is refused. */
export function base64Bytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** Decodes canonical base64url without padding. */
export function base64UrlBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

/** Decodes lower-case hexadecimal. */
export function hexBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'hex');
  return bytes.toString('hex') === text ? bytes : null;
}

/** The string of well-formed UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** An object of strict JSON: no member twice, no deep nesting. Null for anything else. */
export function jsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isPlain(text) ? value : null;
  } catch {
    return null;
  }
}

/** A token as JSON, or as base64 of JSON: clients send both. */
export function tokenObject(token: string): JsonObject | null {
  const text = token.trim();
  if (text.startsWith('{')) return jsonObject(text);
  const bytes = base64Bytes(text);
  const inner = bytes && utf8Text(bytes);
  return inner ? jsonObject(inner) : null;
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An own member; undefined when it is missing. */
export const memberOf = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

/** An own member that is a string. */
export function textOf(object: JsonObject, name: string): string | null {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : null;
}

/** An own member that is an object. */
export function objectOf(object: JsonObject, name: string): JsonObject | null {
  const value = memberOf(object, name);
  return isObject(value) ? value : null;
}

/** An own member that is canonical base64. */
export function bytesOf(object: JsonObject, name: string): Buffer | null {
  const text = textOf(object, name);
  return text === null ? null : base64Bytes(text);
}

/** Milliseconds in a wallet's format: at most 15 digits. */
export function millisecondsOf(object: JsonObject, name: string): number | null {
  const value = memberOf(object, name);
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[0-9]{1,15}$/.test(text) ? Number.parseInt(text, 10) : null;
}

/** Whether valid JSON has no duplicate member and no deep nesting. */
function isPlain(text: string): boolean {
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (isName && !added(open.at(-1), JSON.parse(text.slice(at, end + 1)))) return false;
      at = end;
    } else if (character === '{' || character === '[') {
      isName = character === '{';
      if (open.push(isName ? new Set() : null) > DEPTH_MAX) return false;
    } else if (character === '}' || character === ']') {
      open.pop();
      isName = false;
    } else if (character === ',') isName = open.at(-1) !== null;
    else if (character === ':') isName = false;
  }
  return true;
}

function added(names: Set<string> | null | undefined, name: string): boolean {
  if (!names || names.has(name)) return false;
  names.add(name);
  return true;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** ISO 4217: the numeric code of each currency of spec/currencies.ts, which walletA uses. */
const numbers =
  `AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BHD048 BIF108 BMD060 BND096 BOB068
  BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHF756 CLP152 CNY156 COP170 CRC188 CUP192 CVE132 CZK203 DJF262 DKK208
  DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270 GNF324 GTQ320 GYD328 HKD344 HNL340
  HTG332 HUF348 IDR360 ILS376 INR356 IQD368 IRR364 ISK352 JMD388 JOD400 JPY392 KES404 KGS417 KHR116 KMF174 KPW408 KRW410 KWD414
  KYD136 KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 LYD434 MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929 MUR480 MVR462
  MWK454 MXN484 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554 OMR512 PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 PYG600
  QAR634 RON946 RSD941 RUB643 RWF646 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728 STN930 SVC222
  SYP760 SZL748 THB764 TJS972 TMT934 TND788 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 UGX800 USD840 UYU858 UZS860 VED926 VES928
  VND704 VUV548 WST882 XAF950 XCD951 XCG532 XOF952 XPF953 YER886 ZAR710 ZMW967 ZWG924`
    .split(/\s+/)
    .map((entry): [string, string] => [entry.slice(0, 3), entry.slice(3)]);

/** `EUR` → `978`. */
export const currencyNumbers: ReadonlyMap<string, string> = new Map(numbers);

/** `978` → `EUR`. */
export const currencyByNumber: ReadonlyMap<string, string> = new Map(numbers.map(([code, number]) => [number, code]));
