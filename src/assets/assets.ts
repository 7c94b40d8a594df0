import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../site/finish.ts';
import type { Build, Office } from './asset.ts';
import { readOffice, readSite, readWidget } from './packaged.ts';

/**
 * The files for browsers. A package contains them built, in the folder `assets` beside `src`. A checkout has no such folder and builds them
 * from its sources with development packages, which the server itself never imports.
 */
const folder = join(import.meta.dirname, '..', '..', 'assets');
const isPackaged = existsSync(folder);

/** The widget. Every call reads or builds it anew. */
export const loadWidget = async (): Promise<Build> =>
  isPackaged ? readWidget(folder) : (await import('./build.ts')).buildWidget();

/** Loads at the first call. Concurrent callers share one load; the next call repeats a failed one. */
function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | null = null;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}

/** The back office. One for the whole process: its sources are the same for every gateway in it. */
export const theOffice: () => Promise<Office> = once(async () =>
  isPackaged ? readOffice(folder) : (await import('./backOffice.ts')).buildOffice(),
);

/** The documentation. */
export const theSite: () => Promise<Site> = once(async () =>
  isPackaged ? readSite(folder) : (await import('../site/build.ts')).buildSite(),
);
