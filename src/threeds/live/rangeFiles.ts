import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../spec/json.ts';
import { cardRanges, protocolVersion, text } from '../messages/formats.ts';
import type { RangeData } from '../messages/message.ts';
import type { NetworkName } from '../networks.ts';
import type { RangeStore, StoredRangeList } from './ports.ts';

/** Range lists as files, one per network. They contain no secret. A damaged file counts as missing. */
export function createRangeFiles(folder: string): RangeStore {
  const pathOf = (network: NetworkName): string => join(folder, `${network}.json`);
  return {
    async read(network) {
      try {
        return parseStoredList(JSON.parse(await readFile(pathOf(network), 'utf8')));
      } catch {
        return null;
      }
    },
    async write(network, kept) {
      const path = pathOf(network);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
      // A rename is atomic: a reader gets the old list or the new one.
      await rename(`${path}.new`, path);
    },
  };
}

const isOr = (isRight: boolean, value: unknown): boolean => value === null || isRight;

function parseStoredList(value: unknown): StoredRangeList | null {
  if (!isRecord(value) || !isRecord(value.list) || !Number.isSafeInteger(value.goodAt)) return null;
  const { serialNum, from, to, ranges } = value.list;
  const isRight =
    isOr(text(20).fits(serialNum, '2.2.0'), serialNum) &&
    isOr(protocolVersion.fits(from, '2.2.0'), from) &&
    isOr(protocolVersion.fits(to, '2.2.0'), to) &&
    cardRanges.fits(ranges, '2.2.0');
  if (!isRight) return null;
  const known = { serialNum, from, to } as { serialNum: string | null; from: string | null; to: string | null };
  return { list: { ...known, ranges: ranges as readonly RangeData[] }, goodAt: value.goodAt as number };
}
