import type { MouseEvent, ReactNode } from 'react';
import { useScope } from '../app/me.ts';
import { type SearchChanges, useAddress } from '../app/navigation.ts';

type ToProps = {
  readonly to: string;
  readonly search?: SearchChanges;
  readonly className?: string;
  readonly children: ReactNode;
  readonly 'aria-label'?: string;
  /** It counts as open only at its own address, not at those below it. */
  readonly isExact?: boolean;
};

/** Whether a click stays in this window: others open a tab or a menu of the browser. */
const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;

/** A link to a page of ours; the chosen entity stays in the address. */
export function PageLink({ to, search = {}, className = 'to', isExact = false, children, ...more }: ToProps): ReactNode {
  const { path, go, hrefTo, preload } = useAddress();
  const isHere = path === to || (!isExact && to !== '/' && path.startsWith(`${to}/`));
  const follow = (event: MouseEvent) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    go(to, search);
  };
  const load = () => preload(to);
  return (
    <a
      href={hrefTo(to, search)}
      className={className}
      onClick={follow}
      onMouseEnter={load}
      onFocus={load}
      onTouchStart={load}
      {...(isHere && { 'aria-current': 'page' as const })}
      {...more}
    >
      {children}
    </a>
  );
}

/** A link to a customer. Above merchants the link chooses the merchant; a chosen channel stays. */
export function CustomerLink({ id, merchantId }: { readonly id: string; readonly merchantId: string }): ReactNode {
  const { entity } = useScope();
  const isBelow = entity.kind === 'merchant' || entity.kind === 'channel';
  return (
    <PageLink to="/customers" search={{ customer: id, ...(!isBelow && { entity: merchantId }) }}>
      {id}
    </PageLink>
  );
}
