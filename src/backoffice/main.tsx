import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import type { Language } from '../spec/answers/users.ts';
import { isProblem } from './app/api.ts';
import { meQuery } from './app/me.ts';
import { createNavigation } from './app/navigation.ts';
import { headStart, isSignInPage, Router } from './app/router.tsx';
import { sessionWatch } from './app/session.ts';
import { theme, variables } from './app/theme.ts';
import { StepUp } from './layout/StepUp.tsx';
import { LanguageContext } from './texts/texts.ts';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal will be the same the second time.
      retry: (count, error) => count < 2 && (!isProblem(error) || error.status === 0 || error.status >= 500),
    },
  },
});
const navigation = createNavigation(globalThis.window);
headStart(client, globalThis.location.pathname);
const colours = localStorageColorSchemeManager({ key: 'turnpike-colours' });

/** When the session ends, all data is dropped and the sign-in page opens. After sign-in the user returns to the same page. */
sessionWatch.onLost(() => {
  const { href, path } = navigation.current();
  client.clear();
  if (!isSignInPage(path)) navigation.go(navigation.hrefTo('/sign-in', { back: href }));
});

const asked = (): Language =>
  (navigator.languages.find((one) => /^(?:en|de)\b/.test(one)) ?? 'en').startsWith('de') ? 'de' : 'en';

/** The language of the account, otherwise that of the browser. */
function Speaking({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery({ ...meQuery, enabled: false });
  const language = data?.user.language ?? asked();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

/** Loaded after the first page: no toast is shown before. */
const Toasts = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

/** The whole of the pages. */
function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={colours}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <Speaking>
          <Router client={client} navigation={navigation} />
          <StepUp />
        </Speaking>
      </QueryClientProvider>
      <Suspense>
        <Toasts position="bottom-right" autoClose={6_000} />
      </Suspense>
    </MantineProvider>
  );
}

/** The nonce of the page, for styles that are written while it runs. Browsers hide it in the document and reveal it to scripts. */
const nonce: string = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';

// A library that locks the page behind a dialog writes a style of its own, and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById('root');
if (place) createRoot(place).render(<App />);
