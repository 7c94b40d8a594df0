import { accessRows } from './accessRows.ts';
import { dataRows } from './dataRows.ts';
import { faultRows } from './faultRows.ts';
import { inputRows } from './inputRows.ts';
import { moneyRows } from './moneyRows.ts';
import { operationRows } from './operationRows.ts';
import type { Requirement } from './row.ts';

/** The requirements of the reliability page, R1 to R45, and what was added since. */
export const requirements: readonly Requirement[] = [
  ...moneyRows,
  ...faultRows,
  ...dataRows,
  ...accessRows,
  ...inputRows,
  ...operationRows,
];
