import type { ReactNode } from 'react';
import type { SeenAccount } from '../../../spec/answers/account.ts';
import { ServerSecrets } from './ServerSecrets.tsx';
import { WalletKeys } from './WalletKeys.tsx';

/** What is kept sealed for a node. */
export function Keys({ account }: { readonly account: SeenAccount }): ReactNode {
  return (
    <div className="account-part">
      <WalletKeys account={account} />
      <ServerSecrets account={account} />
    </div>
  );
}
