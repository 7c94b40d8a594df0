import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Toasts with the results of commands. */
export function Toasts(): ReactNode {
  return <Notifications position="bottom-right" autoClose={6_000} />;
}
