import type { AskedSecond } from '../../../spec/answers/users.ts';
import { fourEyesTexts, namesText } from '../../texts/fourEyes.ts';
import { useTexts } from '../../texts/texts.ts';

/** The message after a change: done, or waiting for approval. */
export function useChangeMessage(): (done: string) => (answer: object | AskedSecond) => string {
  const t = useTexts(fourEyesTexts);
  return (done) => (answer) => ('approval' in answer ? t.askedSecond(namesText(t, answer.approval.approvers)) : done);
}
