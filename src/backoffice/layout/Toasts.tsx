import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Where acts tell what came of them. */
export function Toasts(): ReactNode {
  return <Notifications position="bottom-right" autoClose={6_000} />;
}
