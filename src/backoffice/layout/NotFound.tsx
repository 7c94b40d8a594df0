import { Button, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { isProblem, problemText } from '../app/api.ts';
import { useTitle } from '../app/navigation.ts';
import { PageLink } from '../kit/PageLink.tsx';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';

/** An address that leads nowhere. */
export function NotFound(): ReactNode {
  const t = useTexts(shellTexts);
  useTitle(t.lostTitle);
  return (
    <div className="lost">
      <Title order={1}>{t.lostTitle}</Title>
      <p>{t.lostSays}</p>
      <PageLink to="/">{t.home}</PageLink>
    </div>
  );
}

/** A page that the roles of the user do not open. */
export function NoPermission(): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <div className="lost">
      <Title order={1}>{t.noPermission}</Title>
      <p>{t.noPermissionSays}</p>
      <PageLink to="/account">{t.account}</PageLink>
    </div>
  );
}

type BrokenProps = { readonly error: unknown; readonly onReload: () => void };

/** A page that has failed. */
export function Broken({ error, onReload }: BrokenProps): ReactNode {
  const t = useTexts(shellTexts);
  useTitle(t.brokenTitle);
  return (
    <div className="lost" role="alert">
      <Title order={1}>{t.brokenTitle}</Title>
      <p>{isProblem(error) ? problemText(error, t) : t.brokenSays}</p>
      <Button variant="default" onClick={onReload}>
        {t.reload}
      </Button>
    </div>
  );
}
