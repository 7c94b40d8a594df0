import { useEffect } from 'react';

/** The title of the window: what is shown, then whose program it is. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Turnpike' : `${title} · Turnpike`;
  }, [title]);
}
