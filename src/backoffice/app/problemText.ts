import type { shellTexts } from '../texts/shell.ts';
import type { Problem } from './problem.ts';

type Words = (typeof shellTexts)['en'];

/** What went wrong and what to do, in a sentence or two. */
export function problemText({ status, code, message, faults, needs }: Problem, t: Words): string {
  if (status === 0) return t.unreached;
  if (needs === 'stepUp') return t.unconfirmed;
  if (status === 429) return t.tooOften;
  if (status >= 500) return t.failed;
  if (status === 404) return t.notThere;
  const [first] = Object.entries(faults);
  if (first) return t.fault(first[0], first[1]);
  if (status === 403 && code === '800.900.300') return t.notAllowed;
  return message === '' ? t.failed : message;
}
