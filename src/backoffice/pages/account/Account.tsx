import type { ReactNode } from 'react';
import { PageHead } from '../../kit/PageHead.tsx';
import { ownAccountTexts } from '../../texts/ownAccount.ts';
import { useTexts } from '../../texts/texts.ts';
import { AppSection } from './AppSection.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { Profile } from './Profile.tsx';
import { Sessions } from './Sessions.tsx';

/** Everything about oneself. */
export function Account(): ReactNode {
  const t = useTexts(ownAccountTexts);
  return (
    <>
      <PageHead title={t.title} />
      <Profile />
      <PasswordSection />
      <AppSection />
      <Passkeys />
      <Sessions />
    </>
  );
}
