import type { FinalCode } from '../resultCodes.ts';
import { approved } from './approved.ts';
import { chargeback } from './chargeback.ts';

/** Whether what ended with a code took place: an approval, or a chargeback with its reason. */
export const tookPlace = (code: FinalCode): boolean => Object.hasOwn(approved, code) || Object.hasOwn(chargeback, code);
