import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from './PageLink.tsx';

export type PageHeadProps = {
  readonly title: ReactNode;
  /** One quiet line below the title. */
  readonly says?: ReactNode;
  /** Buttons, the main one last. */
  readonly children?: ReactNode;
  /** The page above this one. */
  readonly back?: { readonly to: string; readonly label: string };
};

/** The head of a page: the only h1, and its actions. */
export function PageHead({ title, says, children, back }: PageHeadProps): ReactNode {
  return (
    <header className="page-head">
      <div>
        {back && (
          <PageLink to={back.to} className="page-back">
            <span aria-hidden="true">← </span>
            {back.label}
          </PageLink>
        )}
        <Title order={1}>{title}</Title>
        {says && <p className="page-says">{says}</p>}
      </div>
      {children && <div className="page-acts">{children}</div>}
    </header>
  );
}
