import { maskCardNumbers } from '../spec/cardNumbers.ts';
import { masked } from '../spec/describe.ts';
import type { Row } from '../spec/row.ts';
import type { Fault } from './checked.ts';
import type { Decoded } from './decode.ts';
import { faultsMax, faultValueMax } from './limits.ts';

const HIDDEN = '***';
// Thirteen digits in a row may be a card number with a wrong digit that somebody put into the wrong field.
const NUMBER = /[0-9](?:[ -]?[0-9]){12,}/g;

/** A refused value as it may be sent back: cut, a secret behind its mask, what could be a card number hidden anywhere. */
export function shown(row: Row<unknown> | null, text: string): string {
  if (row === null) return HIDDEN;
  if (row.secret !== undefined) return row.secret === 'pan' ? masked('pan', text) : HIDDEN;
  const start = maskCardNumbers(text.slice(0, 2 * faultValueMax).replace(NUMBER, HIDDEN), { isStrict: true });
  return start.slice(0, faultValueMax).toWellFormed();
}

/** Puts faults into the order of the request, those of the encoding among them; what was not sent comes last. Each name once. */
export function inOrder(decoded: Decoded, found: ReadonlyMap<string, Fault>): readonly Fault[] {
  const ordered = new Map<string, Fault>();
  const add = (fault: Fault | undefined): void => {
    if (!fault || ordered.has(fault.name)) return;
    const name = maskCardNumbers(fault.name, { isStrict: true });
    ordered.set(fault.name, { name, value: fault.value, message: fault.message });
  };
  let next = 0;
  const misreadUpTo = (count: number): void => {
    for (let fault = decoded.faults[next]; fault && fault.after <= count; fault = decoded.faults[next]) {
      add(fault);
      next += 1;
    }
  };
  let count = 0;
  for (const name of decoded.fields.keys()) {
    misreadUpTo(count);
    add(found.get(name));
    count += 1;
  }
  misreadUpTo(count);
  for (const fault of found.values()) add(fault);
  return [...ordered.values()].slice(0, faultsMax);
}
