import { useRef } from 'react';

/** A random idempotency key. */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Ignores the second click of a double click, which comes before the button is disabled. */
export function useOnce(): (work: () => Promise<unknown>) => void {
  const isGoing = useRef(false);
  return (work) => {
    if (isGoing.current) return;
    isGoing.current = true;
    // The form shows the problem.
    const over = () => {
      isGoing.current = false;
    };
    work().then(over, over);
  };
}
