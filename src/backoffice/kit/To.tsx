import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export type ToProps = {
  readonly to: string;
  readonly search?: Readonly<Record<string, string | undefined>>;
  readonly className?: string;
  readonly children: ReactNode;
  readonly 'aria-label'?: string;
};

/** A link to a page of ours; the chosen entity stays in the address. */
export function To({ to, search = {}, className = 'to', ...more }: ToProps): ReactNode {
  return <Link to={to as never} search={search as never} className={className} {...more} />;
}
