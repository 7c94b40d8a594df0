import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'quiet';

/** A state as a word and a dot: never by colour alone. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className="status" data-tone={tone}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}
