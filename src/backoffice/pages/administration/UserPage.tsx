import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SeenLink, SeenUser } from '../../../spec/answers/users.ts';
import { useAddress } from '../../app/address.ts';
import { useScope } from '../../app/me.ts';
import { useAct, useAsk } from '../../app/useAsk.ts';
import { Confirm } from '../../kit/Confirm.tsx';
import { Trouble } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { When } from '../../kit/When.tsx';
import { useTexts } from '../../texts/texts.ts';
import { peopleTexts } from '../../texts/users.ts';
import { Grants } from './Grants.tsx';
import { useOrAsked } from './orAsked.ts';
import { ShownLink } from './ShownLink.tsx';
import { UserState } from './Users.tsx';

/** Somebody who works here: his roles, and whether he may come in. */
export function UserPage(): ReactNode {
  const t = useTexts(peopleTexts);
  const { params } = useAddress();
  const { entityId } = useScope();
  const { data: user, error, refetch } = useAsk('readUser', { entityId }, { places: { id: params.id ?? '' } });
  const back = { to: '/administration/users', label: t.users };
  if (!user) {
    return (
      <>
        <PageHead title={t.users} back={back} />
        {error && <Trouble problem={error} retry={() => void refetch()} />}
      </>
    );
  }
  return (
    <>
      <PageHead title={user.name} says={user.email} back={back}>
        {user.isManageable && <UserActs user={user} entityId={entityId} />}
      </PageHead>
      {!user.isManageable && <p className="muted">{t.notManageable}</p>}
      <Who user={user} />
      <Section title={t.roles}>
        <Grants key={JSON.stringify(user.grants)} user={user} entityId={entityId} />
      </Section>
    </>
  );
}

function Who({ user }: { readonly user: SeenUser }): ReactNode {
  const t = useTexts(peopleTexts);
  const factors = [user.hasTotp && t.app, user.passkeys > 0 && t.passkeys(user.passkeys)].filter(Boolean).join(', ');
  return (
    <Facts
      facts={[
        [t.state, <UserState key="state" user={user} />],
        [t.secondFactor, factors === '' ? t.none : factors],
        [t.signedIn, user.signedInAt ? <When key="in" at={user.signedInAt} /> : t.never],
        [t.created, <When key="since" at={user.createdAt} />],
        [t.userId, <Id key="id" id={user.id} isShort />],
      ]}
    />
  );
}

type Act = 'state' | 'reset' | 'sessions';

function UserActs({ user, entityId }: { readonly user: SeenUser; readonly entityId: string }): ReactNode {
  const t = useTexts(peopleTexts);
  const [act, setAct] = useState<Act | null>(null);
  const [link, setLink] = useState<SeenLink | null>(null);
  const close = () => setAct(null);
  const asked = { places: { id: user.id }, values: { entityId } };
  const isOut = user.state === 'disabled';
  const labels = { sessions: t.endSessions, reset: t.reset, state: isOut ? t.enable : t.disable };
  const orAsked = useOrAsked();
  const change = useAct('changeUser', { says: orAsked(t.stateChanged), onDone: close, isQuiet: true });
  const sessions = useAct('endUserSessions', { says: t.sessionsEnded, onDone: close, isQuiet: true });
  const show = (made: SeenLink) => {
    close();
    setLink(made);
  };
  const reset = useAct('resetUser', { onDone: show, isQuiet: true });
  const dialog = (name: Act, { isRunning, problem }: Pick<typeof change, 'isRunning' | 'problem'>) => ({
    isOpen: act === name,
    title: labels[name],
    act: labels[name],
    isRunning,
    problem,
    onClose: close,
  });
  const turn = () => change.run({ ...asked, values: { entityId, state: isOut ? 'active' : 'disabled' } });
  return (
    <>
      {(['sessions', 'reset', 'state'] as const)
        .filter((one) => one !== 'state' || user.state !== 'invited')
        .map((one) => (
          <Button key={one} variant="default" onClick={() => setAct(one)}>
            {labels[one]}
          </Button>
        ))}
      <Confirm {...dialog('sessions', sessions)} onAct={() => sessions.run(asked)}>
        {t.endSessionsSays(user.name)}
      </Confirm>
      <Confirm {...dialog('reset', reset)} onAct={() => reset.run(asked)}>
        {t.resetSays(user.name)}
      </Confirm>
      <Confirm {...dialog('state', change)} isDangerous={!isOut} onAct={turn}>
        {isOut ? t.enableSays(user.name) : t.disableSays(user.name)}
      </Confirm>
      <ShownLink link={link} onClose={() => setLink(null)} />
    </>
  );
}
