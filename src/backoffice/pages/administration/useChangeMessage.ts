import type { AskedSecond } from '../../../spec/answers/users.ts';
import { fourEyesTexts, namesText } from '../../texts/fourEyes.ts';
import { useTexts } from '../../texts/texts.ts';

/** What is said after a change: that it is done, or that it waits for a second person. */
export function useChangeMessage(): (done: string) => (answer: object | AskedSecond) => string {
  const t = useTexts(fourEyesTexts);
  return (done) => (answer) => ('approval' in answer ? t.askedSecond(namesText(t, answer.approval.approvers)) : done);
}
