import type { FrameField } from '../protocol.ts';

/** What a frame's address says, and where it lives. */
export type FrameContext = {
  readonly window: Window;
  readonly input: HTMLInputElement;
  readonly field: FrameField;
  readonly checkoutId: string;
  readonly group: string;
  readonly key: string;
  readonly mayLackOrigin: boolean;
};
