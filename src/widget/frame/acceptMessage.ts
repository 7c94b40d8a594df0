import type { FrameField, FrameSetup, FrameStyle, ToFrame } from '../protocol.ts';

/** The parts of a message event that identify its sender. */
export type WindowMessage = { readonly data: unknown; readonly source: unknown; readonly origin: string };

/** The sender that a frame accepts: its parent with the frame's key, and after the first setup only one origin. */
export type Trusted = {
  readonly parent: unknown;
  readonly key: string;
  readonly field: FrameField;
  readonly origin: string | null;
  /** The channel allows pages without an origin. */
  readonly mayLackOrigin: boolean;
};

const TEXT_MAX = 500;
const BRANDS_MAX = 200;

type UnknownRecord = Readonly<Record<string, unknown>>;
const isUnknownRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= TEXT_MAX;
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isTexts = (value: unknown): value is FrameStyle =>
  isUnknownRecord(value) && Object.values(value).every((one) => typeof one === 'string');

const isRight: { readonly [Key in keyof FrameSetup]-?: (value: unknown) => boolean } = {
  field: isText,
  language: (value) => isText(value) && /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i.test(value),
  isRtl: isFlag,
  label: isText,
  placeholder: isText,
  title: isText,
  isRequired: isFlag,
  isMasked: isFlag,
  isGrouped: isFlag,
  brands: (value) => Array.isArray(value) && value.length <= BRANDS_MAX && value.every(isText),
  brand: (value) => value === null || isText(value),
  cvvLength: (value) => value === null || value === 3 || value === 4,
  style: isTexts,
  placeholderStyle: isTexts,
  autofocus: isFlag,
  isExpiryFree: isFlag,
  isUnchecked: isFlag,
};
const names = Object.keys(isRight) as readonly (keyof FrameSetup)[];

/** The part of a setup that is one. */
function partOf(value: unknown): Partial<FrameSetup> | null {
  if (!isUnknownRecord(value)) return null;
  const there = names.filter((name) => value[name] !== undefined);
  if (!there.every((name) => isRight[name](value[name]))) return null;
  return Object.fromEntries(there.map((name) => [name, value[name]])) as Partial<FrameSetup>;
}

const isTurn = (value: unknown): value is number => Number.isSafeInteger(value);

function sealOf({ turn, group, fields, checkoutId }: UnknownRecord): ToFrame | null {
  if (!isTurn(turn) || !isText(group) || !isTexts(fields)) return null;
  if (checkoutId !== undefined && !(isText(checkoutId) && /^[0-9A-F]{32}[.-][\w.-]{1,64}$/.test(checkoutId))) return null;
  return { is: 'seal', turn, group, fields, ...(checkoutId !== undefined && { checkoutId }) };
}

/** Each message that a page may send, rebuilt from its parts; null for everything that is none. */
function eventFor(said: UnknownRecord, field: FrameField): ToFrame | null {
  switch (said.is) {
    case 'setup': {
      const setup = partOf(said.setup);
      const isAll = setup !== null && names.every((name) => name in setup || name === 'isUnchecked') && setup.field === field;
      return isAll ? { is: 'setup', setup: setup as FrameSetup } : null;
    }
    case 'change': {
      const setup = partOf(said.setup);
      return setup === null || (setup.field ?? field) !== field ? null : { is: 'change', setup };
    }
    case 'focus':
    case 'clear':
      return { is: said.is };
    case 'describe':
      return said.error === null || isText(said.error) ? { is: 'describe', error: said.error } : null;
    case 'validate':
      return isTurn(said.turn) ? { is: 'validate', turn: said.turn } : null;
    case 'seal':
      return sealOf(said);
    default:
      return null;
  }
}

/** Returns the message of the page to this frame; null for other senders and invalid messages. */
export function acceptMessage({ data, source, origin }: WindowMessage, trusted: Trusted): ToFrame | null {
  if (source === null || source !== trusted.parent || !isUnknownRecord(data)) return null;
  if (data.turnpike !== 1 || data.key !== trusted.key || trusted.key === '' || !isUnknownRecord(data.message)) return null;
  const message = eventFor(data.message, trusted.field);
  if (trusted.origin !== null) return origin === trusted.origin ? message : null;
  // A page without an origin cannot be answered by name: only a channel that has said so wants it answered at all.
  return message?.is === 'setup' && origin !== '' && (origin !== 'null' || trusted.mayLackOrigin) ? message : null;
}
