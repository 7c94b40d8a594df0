import type { ReactNode } from 'react';
import { isRecord } from '../../../runtime/json.ts';
import type { AccountView, UsableAccountView } from '../../../spec/answers/account.ts';
import { Facts, Section } from '../../kit/Page.tsx';
import { Status, type Tone } from '../../kit/Status.tsx';
import { routingTexts } from '../../texts/routing.ts';
import { useTexts } from '../../texts/texts.ts';
import { methodText, type Words } from './draft.ts';

type AccountState = { readonly tone: Tone; readonly says: 'on' | 'off' | 'unreachable' | 'lacksSecrets' | 'unknown' };

/** The state of an account that a rule may name. A connector without accounts is always on. */
export function stateOf({ usableAccounts, connectors }: AccountView, name: string): AccountState {
  const account = usableAccounts.find((one) => one.name === name);
  if (account) return stateOfAccount(account);
  return connectors.includes(name) ? { tone: 'good', says: 'on' } : { tone: 'bad', says: 'unknown' };
}

function stateOfAccount({ state, lacksSecrets, isReachable }: UsableAccountView): AccountState {
  if (state === 'off') return { tone: 'quiet', says: 'off' };
  if (lacksSecrets) return { tone: 'bad', says: 'lacksSecrets' };
  return isReachable ? { tone: 'good', says: 'on' } : { tone: 'bad', says: 'unreachable' };
}

type Props = { readonly account: AccountView };

/** The accounts that the channel can use, and their state. */
export function Accounts({ account }: Props): ReactNode {
  const t = useTexts(routingTexts);
  const titles = new Map(account.usableAccounts.map(({ name, title }) => [name, title]));
  return (
    <Section title={t.accounts}>
      {account.usableAccounts.length === 0 && <p className="muted">{t.noAccounts}</p>}
      <ul className="routing-accounts">
        {account.connectors.map((name) => {
          const { tone, says } = stateOf(account, name);
          return (
            <li key={name}>
              <span className="routing-account">{name}</span>
              <span className="muted">{titles.get(name) ?? t.withoutAccount}</span>
              <Status tone={tone}>{t[says]}</Status>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** The account for what no rule matches, by payment method. */
export function Rest({ account }: Props): ReactNode {
  const t = useTexts(routingTexts);
  const value = account.settings.find(({ name }) => name === 'connectors')?.value;
  const rows = isRecord(value) ? Object.entries(value) : [];
  return (
    <Section title={t.rest}>
      <p className="muted">{rows.length === 0 ? t.restNone : t.restSays}</p>
      <Facts
        facts={rows.map(([method, name]) => [
          restText(t, method),
          <AccountName key={method} account={account} name={String(name)} />,
        ])}
      />
    </Section>
  );
}

const restText = (t: Words, method: string): string => (method === 'default' ? t.restDefault : methodText(t, method));

/** An account by name, with its state where it takes no payments. */
export function AccountName({ account, name }: Props & { readonly name: string }): ReactNode {
  const t = useTexts(routingTexts);
  const { tone, says } = stateOf(account, name);
  return (
    <span className="routing-name">
      <span className="routing-account">{name}</span> {says !== 'on' && <Status tone={tone}>{t[says]}</Status>}
    </span>
  );
}
