import { useCallback } from 'react';
import type { AuditShown } from '../../../spec/answers/users.ts';
import type { auditTexts } from '../../texts/audit.ts';

export type Words = (typeof auditTexts)['en'];

/** The type of actor. */
export const kindOf = (t: Words, by: string): string =>
  ({
    user: t.byUser,
    token: t.byToken,
    operator: t.byOperator,
    command: t.byCommand,
    system: t.bySystem,
    nobody: t.byNobody,
  })[by] ?? by;

/** The name of the actor without the e-mail, which is shown on hover and in the detail. */
export const useWho = (t: Words): ((entry: AuditShown) => string) =>
  useCallback(
    ({ by, who, whoName }) => {
      if (whoName !== '') return whoName.replace(/ <.*>$/, '');
      return by === 'command' && who !== '' ? who : kindOf(t, by);
    },
    [t],
  );
