import { useEffect } from 'react';

/** The title of the window: the page, then the product. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Turnpike' : `${title} · Turnpike`;
  }, [title]);
}
