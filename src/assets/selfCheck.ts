import type { AssetStore, WidgetFiles } from '../checkouts/ports.ts';
import { type Build, integrityOf } from './asset.ts';

export type SelfCheckNeeds = {
  readonly build: Build;
  readonly files: Pick<WidgetFiles, 'file'>;
  /** Where other nodes find this build. */
  readonly store: Pick<AssetStore, 'asset'>;
  /** Reads the build again, from the package or the sources. */
  readonly reload: () => Promise<Build>;
};

/**
 * Returns a check of the widget's files against their hashes at the start: as this node serves them, as other nodes read them from the
 * store, and as they are on disk now. The check resolves to the names of the files that differ.
 */
export function createSelfCheck({ build, files, store, reload }: SelfCheckNeeds): () => Promise<readonly string[]> {
  const { name } = build;
  const published = build.files.map((file) => ({ file: file.name, integrity: integrityOf(file.bytes) }));
  return async () => {
    const onDisk = new Map((await reload()).files.map((file) => [file.name, integrityOf(file.bytes)]));
    // Images of the operator are no part of the package.
    const isOwn = (file: string): boolean => !onDisk.has(file) && /^img\/brand\.\w+\.svg$/.test(file);
    const checked = published.map(async ({ file, integrity }) => {
      const [served, stored] = await Promise.all([files.file(name, file), store.asset(name, file)]);
      const isSame =
        served !== null &&
        integrityOf(served.bytes) === integrity &&
        // A build that is gone from the store is published again by its own job.
        (stored === null || integrityOf(stored.bytes) === integrity) &&
        (isOwn(file) || onDisk.get(file) === integrity);
      return isSame ? [] : [file];
    });
    return (await Promise.all(checked)).flat();
  };
}
