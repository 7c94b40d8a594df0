import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from '../../payments/ports.ts';
import { type ImportNeeds, type ImportResult, importFile } from './importFile.ts';

export type FolderNeeds = ImportNeeds & {
  /** Below it stands a folder for each entity, by its id. */
  readonly folder: string;
  readonly open: (path: string) => AsyncIterable<Uint8Array>;
  readonly alarm: World['alarm'];
};

/** Whoever lays a file down may still be writing it. */
const QUIET_MS = 10_000;
const ENTITY_ID = /^[0-9a-f]{32}$/;
const [DONE, BAD] = ['done', 'bad'];

/** Takes what lies in the folders of the entities. A file is moved to done/ or bad/, with a report beside it. */
export async function importFolder(needs: FolderNeeds): Promise<void> {
  const entities = await readdir(needs.folder, { withFileTypes: true });
  for (const entity of entities) {
    if (!entity.isDirectory() || !ENTITY_ID.test(entity.name) || !needs.directory.entity(entity.name)) continue;
    const place = join(needs.folder, entity.name);
    const files = (await readdir(place, { withFileTypes: true })).filter((one) => one.isFile() && !one.name.startsWith('.'));
    for (const { name } of files.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      await takeOne(needs, { entityId: entity.name, place, name });
  }
}

type Lying = { readonly entityId: string; readonly place: string; readonly name: string };

async function takeOne(needs: FolderNeeds, { entityId, place, name }: Lying): Promise<void> {
  const path = join(place, name);
  const { mtimeMs, ctimeMs } = await stat(path);
  if (needs.clock.now() - Math.max(mtimeMs, ctimeMs) < QUIET_MS) return;
  const brought = await importFile(needs, entityId, { name, open: () => needs.open(path) });
  if (brought.is === 'busy') return;
  const folder = join(place, brought.is === 'refused' ? BAD : DONE);
  await mkdir(folder, { recursive: true });
  // The id tells files of the same name apart.
  const target = join(folder, `${brought.file.id}-${name}`);
  await writeFile(`${target}.report.json`, `${JSON.stringify(reportOf(brought), null, 2)}\n`);
  await rename(path, target);
  if (brought.is === 'refused')
    needs.alarm('a settlement file was refused', { entityId, name, faults: String(brought.file.faultCount) });
}

const reportOf = (brought: ImportResult): object => {
  const { pspId: _, readUntil: __, createdAt, ...file } = brought.file;
  return {
    is: brought.is,
    ...file,
    createdAt: new Date(createdAt).toISOString(),
    ...('count' in brought && { count: brought.count }),
  };
};
