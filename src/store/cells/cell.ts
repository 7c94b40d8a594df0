import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import type { SettlementFile, SettlementRecord } from '../../settlement/record.ts';
import type { Store } from '../store.ts';
import type { MovingCell } from './moving.ts';

/** Where a merchant lives. `epoch`: more with every step of a move. */
export type Placement = {
  readonly merchantId: string;
  readonly cell: string;
  readonly epoch: number;
  readonly movingTo: string | null;
  /** The cell that still has rows of the merchant, to be removed. */
  readonly movingFrom: string | null;
};

/** The map of merchants and cells, in the control database. */
export interface Placements {
  placements(): Promise<readonly Placement[]>;
  placementsOf(merchantIds: readonly string[]): Promise<readonly Placement[]>;
  /** How many merchants live in each cell. */
  countPlacements(): Promise<ReadonlyMap<string, number>>;
  /** Places a merchant who has no cell yet; of two who place one the first decides. */
  place(merchantId: string, cell: string): Promise<void>;
  /** A name for a run of the mover. */
  newRun(): Promise<string>;
  /** Each false when the merchant is not in the state before. */
  beginMove(merchantId: string, to: string): Promise<boolean>;
  switchCell(merchantId: string, to: string): Promise<boolean>;
  takeBackMove(merchantId: string, to: string): Promise<boolean>;
  endMove(merchantId: string, from: string): Promise<boolean>;
}

/** One of the databases that merchants live in. */
export interface Cell {
  readonly name: string;
  readonly store: Store;
  /** What a move asks of the database. */
  moving(): Promise<MovingCell>;
  /** Makes the database refuse what is written about merchants that it does not own. */
  fence(): Promise<void>;
  /** Owns a merchant from now on, unless the cell has owned the merchant before. */
  own(merchantId: string, epoch: number): Promise<void>;
  /** How many payments the cell has. */
  countPayments(): Promise<number>;
  /** Rejects when the lines of a settlement file cannot be posted; changes nothing. */
  tryKeepFile(fileId: string): Promise<void>;
  /** Writes a settlement record that comes from another cell, with its file and its posting, once. */
  adoptRecord(file: SettlementFile, record: SettlementRecord, at: number): Promise<void>;
  /** Deletes the record that another cell has adopted. */
  dropRecord(record: Pick<SettlementRecord, 'id' | 'revision'>): Promise<void>;
}

/** The code of a refusal by the fence of a cell. */
export const FENCED = 'FENCED';

/** A database that is not the cell, or not the control database, that the configuration takes it for. Trying again does not help. */
export class WrongCell extends StoreOutOfOrder {}
