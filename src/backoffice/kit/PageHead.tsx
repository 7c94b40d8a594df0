import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { DataAge } from './DataAge.tsx';
import { PageLink } from './PageLink.tsx';

export type PageHeadProps = {
  readonly title: ReactNode;
  /** One quiet line below the title. */
  readonly says?: ReactNode;
  /** Buttons, the main one last. */
  readonly children?: ReactNode;
  /** The page above this one. */
  readonly back?: { readonly to: string; readonly label: string };
  /** The endpoint of the page's figures: the head says when they are old. */
  readonly dataOf?: AdminEndpointName;
};

/** The head of a page: the only h1, and its actions. */
export function PageHead({ title, says, children, back, dataOf }: PageHeadProps): ReactNode {
  return (
    <header className="page-head">
      <div>
        {back && (
          <PageLink to={back.to} className="page-back">
            <span aria-hidden="true">← </span>
            {back.label}
          </PageLink>
        )}
        <div className="page-title">
          <Title order={1}>{title}</Title>
          {dataOf && <DataAge of={dataOf} />}
        </div>
        {says && <p className="page-says">{says}</p>}
      </div>
      {children && <div className="page-acts">{children}</div>}
    </header>
  );
}
