import { type ReactNode, useState } from 'react';
import type { LinkView, UserView } from '../../../spec/answers/users.ts';
import { useAddress } from '../../app/address.ts';
import { useScope } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { LoadError } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useTexts } from '../../texts/texts.ts';
import { userTexts } from '../../texts/users.ts';
import { Grants } from './Grants.tsx';
import { ShownLink } from './ShownLink.tsx';
import { UserState } from './Users.tsx';
import { useChangeMessage } from './useChangeMessage.ts';

/** A user: roles, status and sign-in. */
export function UserPage(): ReactNode {
  const t = useTexts(userTexts);
  const { params } = useAddress();
  const { entityId } = useScope();
  const { data: user, error, refetch } = useApiQuery('readUser', { entityId }, { places: { id: params.id ?? '' } });
  const back = { to: '/administration/users', label: t.users };
  if (!user) {
    return (
      <>
        <PageHead title={t.users} back={back} />
        {error && <LoadError problem={error} retry={() => void refetch()} />}
      </>
    );
  }
  return (
    <>
      <PageHead title={user.name} says={user.email} back={back}>
        {user.isManageable && <UserActions user={user} entityId={entityId} />}
      </PageHead>
      {!user.isManageable && <p className="muted">{t.notManageable}</p>}
      <Who user={user} />
      <Section title={t.roles}>
        <Grants key={JSON.stringify(user.grants)} user={user} entityId={entityId} />
      </Section>
    </>
  );
}

function Who({ user }: { readonly user: UserView }): ReactNode {
  const t = useTexts(userTexts);
  const factors = [user.hasTotp && t.app, user.passkeys > 0 && t.passkeys(user.passkeys)].filter(Boolean).join(', ');
  return (
    <Facts
      facts={[
        [t.state, <UserState key="state" user={user} />],
        [t.secondFactor, factors === '' ? t.none : factors],
        [t.signedIn, user.signedInAt ? <Timestamp key="in" at={user.signedInAt} /> : t.never],
        [t.created, <Timestamp key="since" at={user.createdAt} />],
        [t.userId, <Id key="id" id={user.id} isShort />],
      ]}
    />
  );
}

function UserActions({ user, entityId }: { readonly user: UserView; readonly entityId: string }): ReactNode {
  const t = useTexts(userTexts);
  const [link, setLink] = useState<LinkView | null>(null);
  const changeMessage = useChangeMessage();
  const request = { places: { id: user.id }, values: { entityId } };
  const isDisabled = user.state === 'disabled';
  return (
    <>
      <ConfirmButton endpoint="endUserSessions" request={request} label={t.endSessions} says={t.sessionsEnded}>
        {t.endSessionsSays(user.name)}
      </ConfirmButton>
      <ConfirmButton endpoint="resetUser" request={request} label={t.reset} onDone={setLink}>
        {t.resetSays(user.name)}
      </ConfirmButton>
      {user.state !== 'invited' && (
        <ConfirmButton
          endpoint="changeUser"
          request={{ ...request, values: { entityId, state: isDisabled ? 'active' : 'disabled' } }}
          label={isDisabled ? t.enable : t.disable}
          isDangerous={!isDisabled}
          says={changeMessage(t.stateChanged)}
        >
          {isDisabled ? t.enableSays(user.name) : t.disableSays(user.name)}
        </ConfirmButton>
      )}
      <ShownLink link={link} onClose={() => setLink(null)} />
    </>
  );
}
