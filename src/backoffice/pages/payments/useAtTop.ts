import { useEffect, useState } from 'react';

const NEAR = 80;

/** Whether the page has not been scrolled away from its beginning. */
export function useAtTop(): boolean {
  const [isTop, setTop] = useState(true);
  useEffect(() => {
    const look = () => setTop(globalThis.scrollY < NEAR);
    globalThis.addEventListener('scroll', look, { passive: true });
    return () => globalThis.removeEventListener('scroll', look);
  }, []);
  return isTop;
}
