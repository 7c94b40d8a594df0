/** The connection or the writer was lost before the commit was confirmed. The caller must read again to learn whether it was stored. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
  /** The code of the database or of its driver; empty when there is none. */
  readonly code: string;
  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

/** Lists are read up to this size, because reading takes about three times the memory. */
export const LIST_MEGABYTES_MAX = 32;

/** The records of a list are longer than may be read. */
export class ListTooLong extends Error {
  override readonly name = 'ListTooLong';
  readonly megabytes: number;
  constructor(bytes: number) {
    super(`a list of ${bytes} bytes`);
    this.megabytes = Math.ceil(bytes / 1_048_576);
  }
}

/** The store is out of order. Nothing was written. */
export class StoreOutOfOrder extends Error {
  override readonly name = 'StoreOutOfOrder';
  /** The code of the database or of its driver; empty when there is none. */
  readonly code: string;
  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

/** Pages of a table are damaged, and cannot be read. */
export class DamagedTable extends StoreOutOfOrder {
  readonly table: string;
  constructor(table: string) {
    super(`the table ${table} cannot be read: its pages are damaged; npx turnpike doctor --deep says where; restore a backup`);
    this.table = table;
  }
}

/** A commit that contradicts itself or the stored state (a bug of the caller, not a race). Nothing was written. */
export class BrokenCommit extends Error {
  override readonly name = 'BrokenCommit';
  /** The constraint or trigger of the database that refused it; empty when none did. */
  readonly constraint: string;
  constructor(message: string, constraint = '') {
    super(message);
    this.constraint = constraint;
  }
}
