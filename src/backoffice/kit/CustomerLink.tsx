import type { ReactNode } from 'react';
import { useScope } from '../app/me.ts';
import { PageLink } from './PageLink.tsx';

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
