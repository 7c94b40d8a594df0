import { Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { type Problem, useDataAge } from '../app/api.ts';
import { shellTexts } from '../texts/shell.ts';
import { localeOf, useLanguage, useTexts } from '../texts/texts.ts';
import { LoadError } from './Empty.tsx';
import { Icon } from './icons.tsx';
import { PageLink } from './PageLink.tsx';

type LoadProps = { readonly error: Problem | null; readonly retry: () => unknown };

type PageHeadProps = {
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

/** A page without its data: the head, and the reason where it could not be loaded. */
export function Unloaded({ error, retry, ...head }: PageHeadProps & LoadProps): ReactNode {
  return (
    <>
      <PageHead {...head} />
      {error && <LoadError problem={error} retry={() => void retry()} />}
    </>
  );
}

/** The replica is compared with the primary once a second: below this age it is as good as up to date. */
const SHOWN_SECONDS_MIN = 3;
const MINUTES_FROM = 120;

/** How old the data of a page may be, where they come from a replica that is behind. */
export function DataAge({ of }: { readonly of: AdminEndpointName }): ReactNode {
  const t = useTexts(shellTexts);
  const locale = localeOf(useLanguage());
  const seconds = useDataAge(of);
  if (seconds === null || seconds < SHOWN_SECONDS_MIN) return null;
  const [count, unit] = seconds < MINUTES_FROM ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  const age = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  return (
    <span className="data-age" title={t.dataAgeSays}>
      <Icon name="clock" size={14} />
      {t.dataAge(age)}
    </span>
  );
}

/** Where a page is, from the top down: the last step is the page itself. */
export function Trail({ steps }: { readonly steps: readonly string[] }): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <nav aria-label={t.trail} className="trail">
      {steps.map((step, at) => (
        <Fragment key={step}>
          {at > 0 && <span aria-hidden="true"> › </span>}
          <span {...(at === steps.length - 1 && { 'aria-current': 'page' as const })}>{step}</span>
        </Fragment>
      ))}
    </nav>
  );
}

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
