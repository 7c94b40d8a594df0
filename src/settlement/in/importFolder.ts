import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from '../../payments/ports.ts';
import { type ImportNeeds, type ImportResult, importFile } from './importFile.ts';

export type FolderNeeds = ImportNeeds & {
  /** It contains a folder for each entity, named by its id. */
  readonly folder: string;
  readonly open: (path: string) => AsyncIterable<Uint8Array>;
  readonly alarm: World['alarm'];
};

/** A file that changed more recently may still be written. */
const QUIET_MS = 10_000;
const ENTITY_ID = /^[0-9a-f]{32}$/;
const [DONE, BAD] = ['done', 'bad'];

/** Imports the files in the folders of the entities. Each file is moved to done/ or bad/, with a report beside it. */
export async function importFolder(needs: FolderNeeds): Promise<void> {
  const entities = await readdir(needs.folder, { withFileTypes: true });
  for (const entity of entities) {
    if (!entity.isDirectory() || !ENTITY_ID.test(entity.name) || !needs.directory.entity(entity.name)) continue;
    const entityFolder = join(needs.folder, entity.name);
    const files = (await readdir(entityFolder, { withFileTypes: true })).filter(
      (one) => one.isFile() && !one.name.startsWith('.'),
    );
    for (const { name } of files.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      await importOne(needs, { entityId: entity.name, entityFolder, name });
  }
}

type FoundFile = { readonly entityId: string; readonly entityFolder: string; readonly name: string };

async function importOne(needs: FolderNeeds, { entityId, entityFolder, name }: FoundFile): Promise<void> {
  const path = join(entityFolder, name);
  const { mtimeMs, ctimeMs } = await stat(path);
  if (needs.clock.now() - Math.max(mtimeMs, ctimeMs) < QUIET_MS) return;
  const result = await importFile(needs, entityId, { name, open: () => needs.open(path) });
  if (result.is === 'busy') return;
  const folder = join(entityFolder, result.is === 'refused' ? BAD : DONE);
  await mkdir(folder, { recursive: true });
  // The id tells files of the same name apart.
  const target = join(folder, `${result.file.id}-${name}`);
  await writeFile(`${target}.report.json`, `${JSON.stringify(reportOf(result), null, 2)}\n`);
  await rename(path, target);
  if (result.is === 'refused')
    needs.alarm('a settlement file was refused', { entityId, name, faults: String(result.file.faultCount) });
}

const reportOf = (result: ImportResult): object => {
  const { pspId: _, readUntil: __, createdAt, ...file } = result.file;
  return {
    is: result.is,
    ...file,
    createdAt: new Date(createdAt).toISOString(),
    ...(result.is === 'kept' && { count: result.count }),
  };
};
