import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export type ToProps = {
  readonly to: string;
  readonly search?: Readonly<Record<string, string | undefined>>;
  readonly className?: string;
  readonly children: ReactNode;
  readonly 'aria-label'?: string;
  /** It counts as open only at its own address, not at those below it. */
  readonly isExact?: boolean;
};

/** A link to a page of ours; the chosen entity stays in the address. */
export function PageLink({ to, search = {}, className = 'to', isExact = false, ...more }: ToProps): ReactNode {
  const activeOptions = { exact: isExact, includeSearch: false };
  return <Link to={to} search={search} className={className} activeOptions={activeOptions} {...more} />;
}
