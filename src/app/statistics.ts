import type { Directory } from '../merchants/directory.ts';
import { foldAll } from '../reports/statistics/fold.ts';
import type { Store } from '../store/store.ts';
import type { Job } from '../workers/loop.ts';
import { rest } from './system.ts';

const FOLD_MS = 1_000;

/** What keeps the figures of the dashboard up to date. */
export function statisticsJobs({ store, directory }: { readonly store: Store; readonly directory: Directory }): readonly Job[] {
  const pathOf = (entityId: string) => directory.entity(entityId)?.path ?? null;
  const needs = { store, pathOf, refresh: () => directory.reload() };
  return [{ name: 'aggregate statistics', everyMs: FOLD_MS, run: () => foldAll(needs, rest) }];
}
