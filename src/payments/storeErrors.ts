/** The commit may have been kept or not: the connection or the writer was lost before it could say. Only reading again can tell. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The store cannot work now, and what was asked of it was not done. */
export class StoreOutOfOrder extends Error {
  override readonly name = 'StoreOutOfOrder';
  /** The code of the database; empty when there is none. */
  readonly code: string;
  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

/** A commit that contradicts itself or what is stored (a bug of the caller, not a race). Nothing was written. */
export class BrokenCommit extends Error {
  override readonly name = 'BrokenCommit';
  /** The constraint or trigger of the database that refused it; empty when none did. */
  readonly constraint: string;
  constructor(message: string, constraint = '') {
    super(message);
    this.constraint = constraint;
  }
}
