import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const schemas = join(import.meta.dirname, '../../../../shared/facts/contracts/iso20022');
const beside = join(import.meta.dirname, '../../../../../shared/facts/contracts/iso20022');
const folder = existsSync(schemas) ? schemas : beside;

const hasXmllint = spawnSync('xmllint', ['--version']).error === undefined;

/** Why files cannot be validated against the schemas here; false: they can. */
export const noSchemas: string | false = !existsSync(folder)
  ? 'the schemas of ISO 20022 are not beside the repository'
  : !hasXmllint && 'xmllint is not installed';

/** The complaints of xmllint about files of one version; empty: all are valid. */
export function schemaFaults(version: string, files: readonly string[]): string {
  const work = mkdtempSync(join(tmpdir(), 'sepa-'));
  try {
    const paths = files.map((text, at) => {
      const path = join(work, `${at}.xml`);
      writeFileSync(path, text);
      return path;
    });
    const { status, stderr } = spawnSync(
      'xmllint',
      ['--noout', '--nonet', '--schema', join(folder, `${version}.xsd`), ...paths],
      {
        encoding: 'utf8',
      },
    );
    return status === 0
      ? ''
      : stderr
          .split('\n')
          .filter((line) => !line.endsWith(' validates'))
          .join('\n');
  } finally {
    rmSync(work, { recursive: true });
  }
}
