import { useSyncExternalStore } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';

/** How old the last answer of each endpoint may be, in seconds; only those that came from a replica of the database. */
const ages = new Map<AdminEndpointName, number>();
const listeners = new Set<() => void>();

/** Notes the header of an answer; null: all of it came from the primary. */
export function noteDataAge(name: AdminEndpointName, header: string | null): void {
  const seconds = header === null ? Number.NaN : Number(header);
  if (Number.isFinite(seconds)) ages.set(name, seconds);
  else ages.delete(name);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The age of what an endpoint answered last; null: it is new. */
export const useDataAge = (name: AdminEndpointName | null): number | null =>
  useSyncExternalStore(subscribe, () => (name === null ? null : (ages.get(name) ?? null)));
