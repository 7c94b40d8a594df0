import type { ReactNode } from 'react';
import type { FamilyMember } from '../../../spec/answers/payments.ts';
import { Money } from '../../kit/Money.tsx';
import { To } from '../../kit/To.tsx';
import { When } from '../../kit/When.tsx';
import { paymentTexts, wordFor } from '../../texts/payments.ts';
import { useTexts } from '../../texts/texts.ts';
import { State } from './columns.tsx';

type FamilyProps = { readonly members: readonly FamilyMember[]; readonly here: string };

/** A payment and everything that references it, each below what it is about. */
export function Family({ members, here }: FamilyProps): ReactNode {
  const known = new Set(members.map(({ id }) => id));
  const roots = members.filter(({ referencedId }) => referencedId === null || !known.has(referencedId));
  return <Branch of={roots} members={members} here={here} />;
}

function Branch({ of, members, here }: FamilyProps & { readonly of: readonly FamilyMember[] }): ReactNode {
  const t = useTexts(paymentTexts);
  return (
    <ul className="payment-family">
      {of.map(({ id, paymentType, amount, currency, state, createdAt }) => {
        const below = members.filter(({ referencedId }) => referencedId === id);
        return (
          <li key={id}>
            <div className="payment-member" aria-current={id === here || undefined}>
              {id === here ? (
                <strong>{wordFor(t, paymentType)}</strong>
              ) : (
                <To to={`/payments/${id}`}>{wordFor(t, paymentType)}</To>
              )}
              <Money amount={amount} currency={currency} />
              <State state={state} t={t} />
              <When at={createdAt} isExact />
            </div>
            {below.length > 0 && <Branch of={below} members={members} here={here} />}
          </li>
        );
      })}
    </ul>
  );
}
