import { Fragment, type ReactNode } from 'react';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';

/** Where a page is, from the top down: the last step is the page itself. */
export function Trail({ steps }: { readonly steps: readonly string[] }): ReactNode {
  const t = useTexts(administrationTexts);
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
