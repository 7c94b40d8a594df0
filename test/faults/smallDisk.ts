import { spawn, spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';

/** Why no small disk can be mounted here, or false when it can. */
export function obstacle(): string | false {
  if (process.platform !== 'linux') return 'needs Linux';
  const tried = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt'], { encoding: 'utf8' });
  return tried.status === 0 ? false : `no private mount possible: ${tried.error?.message ?? tried.stderr.trim()}`;
}

export type SmallDisk = {
  /** Command words before a program that shall see the disk. */
  readonly through: readonly string[];
  fill(left: number): void;
  free(): void;
  close(): void;
};

type Owner = { readonly uid: number; readonly gid: number };

/** A disk of a few megabytes that only processes started with `through` see. It is gone when its keeper process ends. */
export async function smallDisk(folder: string, bytes: number, owner: Owner | null = null): Promise<SmallDisk> {
  const of = owner ? `,mode=700,uid=${owner.uid},gid=${owner.gid}` : '';
  const keeper = spawn(
    'unshare',
    ['--mount', 'sh', '-c', `mount -t tmpfs -o size=${bytes}${of} tmpfs "$0" && echo up && exec cat`, folder],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  await new Promise((resolve, reject) => {
    keeper.stdout.once('data', resolve);
    keeper.once('exit', reject);
  });
  const inside = `/proc/${keeper.pid}/root${folder}`;
  return {
    through: ['nsenter', `--mount=/proc/${keeper.pid}/ns/mnt`],
    /** Leaves so many bytes free, or fewer: the gateway may write at the same time. */
    fill: (left: number) => {
      const { bavail, bsize } = statfsSync(inside);
      try {
        writeFileSync(`${inside}/ballast`, Buffer.alloc(Math.max(0, bavail * bsize - left)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(`${inside}/ballast`, { force: true }),
    close: () => keeper.stdin.end(),
  };
}
