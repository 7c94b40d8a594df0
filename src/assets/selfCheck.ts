import { type Build, integrityOf } from './asset.ts';
import { loadWidget } from './assets.ts';
import type { WidgetFiles } from './files.ts';

/**
 * Compares what this node serves with what it was built from, and with what the sources say now: a file that was changed under our feet,
 * in memory or on disk, is told to the operator. Answers the names of what differs.
 */
export async function selfCheck(files: WidgetFiles, { name, files: built }: Build): Promise<readonly string[]> {
  const served = await Promise.all(
    built.map(async (file) => {
      const found = await files.file(name, file.name);
      const isSame = found !== null && integrityOf(found.bytes) === integrityOf(file.bytes);
      return isSame ? [] : [file.name];
    }),
  );
  const anew = new Map((await loadWidget()).files.map((file) => [file.name, integrityOf(file.bytes)]));
  // Images of the operator are no part of the sources.
  const isOwn = (file: string): boolean => !anew.has(file) && /^img\/brand\.\w+\.svg$/.test(file);
  const changed = built
    .filter((file) => !isOwn(file.name) && anew.get(file.name) !== integrityOf(file.bytes))
    .map((file) => file.name);
  return [...new Set([...served.flat(), ...changed])];
}
