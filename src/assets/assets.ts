import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Build, Office } from './asset.ts';
import { readOffice, readWidget } from './packaged.ts';

/**
 * The files for browsers. A package contains them built, in the folder `assets` beside `src`. A checkout has no such folder and builds them
 * from its sources with development packages, which the server itself never imports.
 */
const folder = join(import.meta.dirname, '..', '..', 'assets');
const isPackaged = existsSync(folder);

/** The widget. Every call reads or builds it anew. */
export const loadWidget = async (): Promise<Build> =>
  isPackaged ? readWidget(folder) : (await import('./build.ts')).buildWidget();

async function loadOffice(): Promise<Office> {
  if (isPackaged) return readOffice(folder);
  const [{ cachedOffice: kept }, { buildOffice }] = await Promise.all([import('./officeCache.ts'), import('./backOffice.ts')]);
  return kept(buildOffice);
}

/** Loads the back office at the first call, once. Callers meanwhile wait for the same load; a failed load is tried again. */
export function createOffice(load: () => Promise<Office> = loadOffice): () => Promise<Office> {
  let loaded: Promise<Office> | null = null;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}

/** One for the whole process: its sources are the same for every gateway in it. */
export const theOffice = createOffice();
