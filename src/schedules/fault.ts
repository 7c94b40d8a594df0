import type { scheduling } from '../spec/parameters/storedCredentials.ts';
import type { CodeThat } from '../spec/resultCodes.ts';

/** The wire name of a parameter of a job. */
export type JobName = keyof typeof scheduling;

/** The parameters of a job as they were sent; an empty one counts as absent. */
export type JobFields = Readonly<Partial<Record<JobName, string>>>;

type JobCode = Extract<CodeThat<'refused'>, `100.250.${string}`>;

/** A fault of one parameter of a job: `message` is a sentence with the offending part in it. */
export type JobFault = { readonly field: JobName; readonly code: JobCode; readonly message: string };

/** Everything that is wrong with a job, in the order of its parameters. */
export type JobFaults = { readonly faults: readonly JobFault[] };

/** Whether a reading came to nothing. */
export const isFaulty = (outcome: object): outcome is JobFaults => 'faults' in outcome;

/** A field of the request, or null when it is absent or empty. */
export const textOf = (fields: JobFields, name: JobName): string | null => fields[name] || null;

const LONG_NUMBER = /[0-9]{7,}/g;
const SPACED_NUMBER = /[0-9](?:[ -]?[0-9]){12,}/g;
const SHOWN_MAX = 16;

/** A part of a request as a message may repeat it: cut, and without what could be a card number in the wrong place. */
export function quoted(part: string): string {
  const safe = part.slice(0, 300).replace(SPACED_NUMBER, '***').replace(LONG_NUMBER, '***').toWellFormed();
  return safe.length > SHOWN_MAX ? `"${safe.slice(0, SHOWN_MAX).toWellFormed()}…"` : `"${safe}"`;
}
