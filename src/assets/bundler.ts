import { stop } from 'esbuild';

/** Builds under way in this process. */
let builds = 0;

/** Runs a build. The bundler is a process of its own with some 30 MB, which ends with the last build. */
export async function withBundler<Made>(build: () => Promise<Made>): Promise<Made> {
  builds += 1;
  try {
    return await build();
  } finally {
    builds -= 1;
    if (builds === 0) await stop();
  }
}
