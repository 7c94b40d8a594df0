import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { theOffice, theSite } from '../../src/assets/assets.ts';
import { buildWidget } from '../../src/assets/build.ts';
import { writeOffice, writeSite, writeWidget } from '../../src/assets/packaged.ts';
import { buildNumberOf } from '../../src/http/buildNumber.ts';
import { changeNames, createChanges } from '../../test/faults/changes.ts';
import { changedFolder, commandsFolder, type Program } from '../../test/programs.ts';
import { bundleProgram } from '../release/bundle.ts';

/**
 * Packs the package once for all test files. Returns the folder, which goes with this process; '' if that failed, because then each file
 * packs and says why.
 */
export async function packOnce(root: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-release-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return promisify(execFile)(process.execPath, [join(root, 'scripts', 'pack.ts'), folder]).then(
    () => folder,
    () => '',
  );
}

/**
 * Writes the programs as a package has them, with the files for browsers built beside them, and one more gateway for each set of changes that
 * the fault tests make. Returns the folder; it goes with this process.
 */
export async function buildPrograms(root: string): Promise<string> {
  // Below node_modules, where packages are found.
  const assetsBeside = join(root, 'node_modules', '.cache', 'turnpike', `programs-${process.pid}`);
  mkdirSync(assetsBeside, { recursive: true });
  process.once('exit', () => rmSync(assetsBeside, { recursive: true, force: true }));
  const shared = { root, assetsBeside, buildNumber: buildNumberOf(join(root, 'src')) };
  const bundle = (program: Program, folder: string) => bundleProgram({ ...shared, program, folder });
  await Promise.all([
    // One bundle each: modules that only some commands load are cut into many small files, and a gateway would read all of them.
    bundle('src/main.ts', assetsBeside),
    bundle('src/cli/main.ts', commandsFolder(assetsBeside)),
    ...changeNames.map(async (name) => {
      const changes = createChanges(name);
      await bundleProgram({ ...shared, program: 'src/main.ts', folder: changedFolder(assetsBeside, name), changes });
      changes.assertAllMade();
    }),
    buildWidget().then((widget) => writeWidget(join(assetsBeside, 'assets'), widget)),
    theOffice().then((office) => writeOffice(join(assetsBeside, 'assets'), office)),
    theSite().then((site) => writeSite(join(assetsBeside, 'assets'), site)),
  ]);
  return assetsBeside;
}
