import type { ReactNode } from 'react';
import { Icon } from '../../kit/icons.tsx';
import { signInTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';

export const PASSWORD_MIN = 15;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a password is little more than the name, the e-mail or the product. */
function isOwn(password: string, about: readonly string[]): boolean {
  const words = about.flatMap((text) => text.split(/[\s@.+_-]/)).map(plain);
  const near = [...words, 'turnpike', 'password', 'passwort'].filter((word) => word.length >= 3);
  return near.reduce((text, word) => text.replaceAll(word, ''), plain(password)).length < 8;
}

/** What a password must be, and what of it is there already, while it is typed. */
export function PasswordRules({ password, about }: { readonly password: string; readonly about: readonly string[] }): ReactNode {
  const t = useTexts(signInTexts);
  const count = [...password].length;
  const rules = [
    { name: 'length', says: t.ruleLength(count), isMet: count >= PASSWORD_MIN },
    { name: 'own', says: t.ruleOwn, isMet: count > 0 && !isOwn(password, about) },
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
