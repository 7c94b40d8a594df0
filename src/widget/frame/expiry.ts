import { latinDigits } from '../runtime/forms/latinDigits.ts';
import { digitsOf, type Edit, isDeleting, placeAfter, type Value } from './edit.ts';

const SEPARATOR = ' / ';

type Parts = { readonly month: string; readonly year: string };

/** Nothing but the slash was deleted: the digit beside it is meant, or it would come back for ever. */
function sidesOf({ text, caret, kind, before }: Edit): readonly [front: string, back: string] {
  const plain = latinDigits(text);
  const [front, back] = [plain.slice(0, caret), plain.slice(caret)];
  if (!isDeleting(kind) || digitsOf(plain) !== digitsOf(before)) return [front, back];
  return kind.endsWith('Forward') ? [front, back.replace(/\d/, '')] : [front.replace(/\d(\D*)$/, '$1'), back];
}

/** Like `maxlength`: what is too much is what was put in last, and that stands before the caret, after so many of the digits. */
function fitted(digits: string, at: number, room: number): string {
  const surplus = Math.max(0, digits.length - room);
  const from = Math.max(0, Math.min(at, digits.length) - surplus);
  return (digits.slice(0, from) + digits.slice(from + surplus)).slice(0, room);
}

/** Only a year of this century is written with four digits. */
const yearOf = (digits: string, at: number): string => fitted(digits, at, /^(?:20|19)/.test(digits) ? 4 : 2);

/** Month and year that nothing parts yet: a first digit above one is a month by itself. */
function unparted(digits: string, at: number, isGrowing: boolean): Parts {
  const isWhole = isGrowing && /^[2-9]/.test(digits);
  const size = isWhole ? 1 : 2;
  return { month: (isWhole ? '0' : '') + digits.slice(0, size), year: yearOf(digits.slice(size), at - size) };
}

/** Month and year around whatever stands between them. A month that is being written anew is left alone. */
function parted(front: string, back: string, isGrowing: boolean): Parts {
  const [, lead = '', left = '', rest = ''] = /^(\D*)(\d*)(.*)$/s.exec(front + back) ?? [];
  const at = digitsOf(front).length;
  if (/\S/.test(lead)) return { month: '', year: yearOf(left + digitsOf(rest), at) };
  const isClosed = isGrowing && left.length === 1 && front.length > lead.length + 1;
  return { month: isClosed ? `0${left}` : fitted(left, at, 2), year: yearOf(digitsOf(rest), at - left.length) };
}

function partsOf(front: string, back: string, isGrowing: boolean): Parts {
  const text = front + back;
  // As browsers fill it in, after the form of HTML's months.
  const iso = /^\s*20(\d\d)-(\d\d?)\s*$/.exec(text);
  if (iso) return { month: (iso[2] ?? '').padStart(2, '0'), year: iso[1] ?? '' };
  const isUnparted = /^\s*\d*\s*$/.test(text);
  return isUnparted ? unparted(digitsOf(text), digitsOf(front).length, isGrowing) : parted(front, back, isGrowing);
}

/** A month and a year with a slash that comes by itself; the caret stays between the same digits. */
export function editExpiry(edit: Edit): Value {
  const [front, back] = sidesOf(edit);
  const isGrowing = !isDeleting(edit.kind);
  const { month, year } = partsOf(front, back, isGrowing);
  const hasSlash = year !== '' || (isGrowing && month.length === 2);
  const text = hasSlash ? month + SEPARATOR + year : month;
  const behind = Math.max(0, digitsOf(text).length - digitsOf(back).length);
  return { text, caret: /\d/.test(back) ? placeAfter(text, behind, isGrowing && behind > 1) : text.length };
}
