import { TextInput, type TextInputProps, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { meQuery } from '../../app/me.ts';
import { useAddress, useTitle } from '../../app/navigation.ts';
import { Icon } from '../../kit/icons.tsx';
import { signInTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';

const NAME = 'Turnpike';

/** The layout of the pages before sign-in. */
export function SignInFrame({
  title,
  says,
  children,
}: {
  readonly title: string;
  readonly says?: string;
  readonly children?: ReactNode;
}) {
  useTitle(title);
  return (
    <main className="sign-in">
      <div className="sign-in-mark">
        <Icon name="mark" size={24} />
        {NAME}
      </div>
      <div className="sign-in-card">
        <Title order={1}>{title}</Title>
        {says && <p className="muted">{says}</p>}
        {children}
      </div>
    </main>
  );
}

/** The 6-digit code of an authenticator app. */
export function CodeField({
  value,
  onCode,
  ...more
}: { readonly value: string; readonly onCode: (code: string) => void } & Omit<TextInputProps, 'value' | 'onChange'>): ReactNode {
  return (
    <TextInput
      {...more}
      value={value}
      onChange={(event) => onCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
      inputMode="numeric"
      autoComplete="one-time-code"
      classNames={{ input: 'code-field' }}
    />
  );
}

/** Whether an address is a path of the back office, not another site. */
const isOwn = (address: string): boolean => /^\/(?![/\\])/.test(address) && !address.startsWith('/sign-in');

/** Loads the session after sign-in and opens the requested page. */
export function useArrival(): () => Promise<void> {
  const client = useQueryClient();
  const { search, open } = useAddress();
  const { back = '/' } = search;
  return async () => {
    client.clear();
    await client.fetchQuery(meQuery);
    open(isOwn(back) ? back : '/');
  };
}

export const PASSWORD_MIN = 15;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a password is little more than the name, the e-mail or the product. */
function hasOwnWord(password: string, about: readonly string[]): boolean {
  const words = about.flatMap((text) => text.split(/[\s@.+_-]/)).map(plain);
  const near = [...words, 'turnpike', 'password', 'passwort'].filter((word) => word.length >= 3);
  return near.reduce((text, word) => text.replaceAll(word, ''), plain(password)).length < 8;
}

/** The password rules, each marked as met or not while the user types. */
export function PasswordRules({ password, about }: { readonly password: string; readonly about: readonly string[] }): ReactNode {
  const t = useTexts(signInTexts);
  const count = [...password].length;
  const rules = [
    { name: 'length', says: t.ruleLength(count), isMet: count >= PASSWORD_MIN },
    { name: 'own', says: t.ruleOwn, isMet: count > 0 && !hasOwnWord(password, about) },
    { name: 'lost', says: t.ruleLost, isMet: false },
  ];
  return (
    <ul className="rules">
      {rules.map(({ name, says, isMet }) => (
        <li key={name} data-met={isMet || undefined}>
          <span aria-hidden="true" className="rule-sign">
            {isMet && <Icon name="check" size={12} />}
          </span>
          {says}
          <span className="unseen">{isMet ? t.isMet : t.isOpen}</span>
        </li>
      ))}
    </ul>
  );
}
