import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import { maskEchoed } from '../spec/masking.ts';
import type { Row } from '../spec/row.ts';
import type { Fault } from './checked.ts';
import type { Decoded } from './decode.ts';
import { faultsMax, faultValueMax } from './limits.ts';

/** A refused value as the answer repeats it. */
export const echoOf = (row: Row<unknown> | null, text: string): string => maskEchoed(row, text, faultValueMax);

/** Puts faults into the order of the request, faults of the encoding among them; missing parameters come last. Each name once. */
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
