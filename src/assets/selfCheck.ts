import { type Build, integrityOf } from './asset.ts';
import { loadWidget } from './assets.ts';
import type { WidgetFiles } from './files.ts';

/**
 * Compares the files that this node serves with their build and with the present sources, to detect changes in memory or on disk. Returns
 * the names of the files that differ.
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
