import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The process that `turnpike/testing` starts. The runtime's compile cache is kept, as in `src/main.ts`. */
const folder = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'turnpike');
enableCompileCache(process.env.NODE_COMPILE_CACHE ?? folder);

// A package has the gateway in one file too, which loads in half the time.
const bundled = join(import.meta.dirname, 'bundled.js');
const { startMemoryGateway }: typeof import('./memoryGateway.ts') = existsSync(bundled)
  ? await import(pathToFileURL(bundled).href)
  : await import('./memoryGateway.ts');
await startMemoryGateway();
flushCompileCache();
