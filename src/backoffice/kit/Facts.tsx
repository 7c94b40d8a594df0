import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

const isNothing = (value: ReactNode): boolean => value === null || value === undefined || value === '' || value === false;

/** Names and values in two columns; a fact without a value is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => !isNothing(value))
        .map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}): ReactNode {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
