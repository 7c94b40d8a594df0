import type { Instrument } from './instrument.ts';

/** The last four digits of an instrument that has a number; null without one. */
export const last4Of = (instrument: Instrument | null): string | null =>
  instrument === null || instrument.kind === 'virtualAccount' ? null : instrument.last4Digits;
