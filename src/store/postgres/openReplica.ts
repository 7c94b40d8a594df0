import type { ReplicaSource } from '../replica.ts';
import { sqlReplica } from '../sqlStore.ts';
import { postgresReads } from './database.ts';
import { openPool } from './pool.ts';

type Position = { readonly position: string | null };

const statements = {
  written: "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS position",
  replayed: "SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text END AS position",
} as const;

/** Connections to the replica: pages of some users at once. */
const POOL_MAX = 4;

/** A standby for reads, and one connection to the primary to compare with. Nothing is connected yet. */
export function openReplica(url: string, primaryUrl: string): ReplicaSource {
  // One of several hosts would otherwise have to be the primary.
  const standby = /[?&]target_session_attrs=/.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=any`;
  const pool = openPool({ url: standby, poolMax: POOL_MAX });
  const primary = openPool({ url: primaryUrl, poolMax: 1 });
  const positionOf = (rows: readonly Position[]): bigint | null => {
    const position = rows[0]?.position ?? null;
    return position === null ? null : BigInt(position);
  };
  return {
    reads: sqlReplica(postgresReads(pool)),
    written: async () => positionOf(await primary.read<Position>(statements.written)) ?? 0n,
    replayed: async () => positionOf(await pool.read<Position>(statements.replayed)),
    close: async () => void (await Promise.all([pool.close(), primary.close()])),
  };
}
