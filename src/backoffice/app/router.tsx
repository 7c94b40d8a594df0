import type { QueryClient } from '@tanstack/react-query';
import { Component, type ComponentType, type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { Broken, NotFound } from '../layout/NotFound.tsx';
import { pageRows } from '../pages.ts';
import { isProblem } from './api.ts';
import { meQuery } from './me.ts';
import { type Address, AddressContext, type Entry, type Navigation, pageAt, paramsIn } from './navigation.ts';

/** Which page is shown at which address, by the table of pages. */

type Load = () => Promise<ComponentType>;
type Route = { readonly path: string; readonly load: Load };

/** The pages before sign-in have no layout around them. */
const signInPages: readonly Route[] = [
  { path: '/sign-in', load: async () => (await import('../pages/signIn/SignIn.tsx')).SignIn },
  { path: '/welcome', load: async () => (await import('../pages/signIn/Welcome.tsx')).Welcome },
];
const lost: Route = { path: '', load: async () => NotFound };
const loadLayout = async () => (await import('../layout/Layout.tsx')).Layout;
type LayoutComponent = Awaited<ReturnType<typeof loadLayout>>;

export const isSignInPage = (path: string): boolean => pageAt(signInPages, path) !== undefined;
const routeAt = (path: string): Route => pageAt([...signInPages, ...pageRows], path) ?? lost;

/** `askedFrom`: the element that had the focus when the page was requested. */
type PageRequest = { readonly entry: Entry; readonly askedFrom: Element | null };

/** The page on the screen. Its address changes together with it. */
type Shown = PageRequest & {
  readonly is: 'page';
  readonly route: Route;
  readonly Page: ComponentType;
  readonly Layout: LayoutComponent | null;
};
type Opened = Shown | { readonly is: 'failure'; readonly entry: Entry; readonly error: unknown };

/** Loads the page of an entry. Without a session, sign-in opens instead, which returns to it: then null. */
async function openEntry({ entry, askedFrom }: PageRequest, { client, navigation }: RouterProps): Promise<Opened | null> {
  const route = routeAt(entry.path);
  try {
    if (isSignInPage(entry.path)) return { is: 'page', entry, askedFrom, route, Page: await route.load(), Layout: null };
    const [Layout, Page] = await Promise.all([loadLayout(), route.load(), client.ensureQueryData(meQuery)]);
    return { is: 'page', entry, askedFrom, route, Page, Layout };
  } catch (error) {
    if (!isProblem(error) || error.status !== 401) return { is: 'failure', entry, error };
    if (navigation.current() === entry) navigation.go(navigation.hrefTo('/sign-in', { back: entry.href }), { isReplaced: true });
    return null;
  }
}

export type RouterProps = { readonly client: QueryClient; readonly navigation: Navigation };

export function Router(props: RouterProps): ReactNode {
  const { client, navigation } = props;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [reloads, setReloads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that has failed is opened once more
  useEffect(() => {
    let isOver = false;
    const follow = () => {
      const entry = navigation.current();
      const askedFrom = document.activeElement;
      const isCurrent = () => !isOver && navigation.current() === entry;
      setOpened((before) => {
        const isSame = before?.is === 'page' && before.route === routeAt(entry.path);
        return isSame ? { ...before, entry, askedFrom } : before;
      });
      void openEntry({ entry, askedFrom }, { client, navigation }).then((next) => next && isCurrent() && setOpened(next));
    };
    follow();
    const stop = navigation.onChange(follow);
    return () => {
      isOver = true;
      stop();
    };
  }, [client, navigation, reloads]);
  useScroll(opened?.entry, navigation);
  const address = useAddressOf(opened, navigation);
  if (!opened || !address) return null;
  const reload = () => setReloads((count) => count + 1);
  if (opened.is === 'failure')
    return (
      <AddressContext value={address}>
        <Broken error={opened.error} onReload={reload} />
      </AddressContext>
    );
  const { Page, Layout, entry } = opened;
  const boundary = { path: entry.path, isLeft: () => navigation.current().path !== entry.path, onReload: reload };
  const page = (
    <Boundary {...boundary}>
      <Page />
    </Boundary>
  );
  return (
    <AddressContext value={address}>
      <Boundary {...boundary}>{Layout ? <Layout>{page}</Layout> : page}</Boundary>
    </AddressContext>
  );
}

/** The entry that is shown, as pages read it. */
function useAddressOf(opened: Opened | null, navigation: Navigation): Address | null {
  const ways = useMemo(
    (): Pick<Address, 'set' | 'go' | 'open' | 'hrefTo' | 'preload'> => ({
      set(changes) {
        const { path, search } = navigation.current();
        navigation.go(navigation.hrefTo(path, { ...search, ...changes }), { isReplaced: true });
      },
      go: (to, search) => navigation.go(navigation.hrefTo(to, search)),
      open: (href) => navigation.go(href),
      hrefTo: (to, search) => navigation.hrefTo(to, search),
      preload: (to) =>
        void routeAt(to)
          .load()
          .catch(() => {}),
    }),
    [navigation],
  );
  return useMemo(() => {
    if (!opened) return null;
    const { path, search } = opened.entry;
    const params = opened.is === 'page' ? (paramsIn(opened.route.path, path) ?? {}) : {};
    return { path, search, params, askedFrom: opened.is === 'page' ? opened.askedFrom : null, ...ways };
  }, [opened, ways]);
}

/** A new page begins at its top; the browser's "back" restores the scroll position. */
function useScroll(entry: Entry | undefined, navigation: Navigation): void {
  const [key, arrival] = [entry?.key ?? '', entry?.arrival];
  useLayoutEffect(() => {
    if (arrival === 'push') globalThis.scrollTo(0, 0);
    if (arrival === 'back' && key !== '') globalThis.scrollTo(0, navigation.scrolledTo(key));
  }, [key, arrival, navigation]);
}

type BoundaryProps = {
  readonly path: string;
  /** Another page is opening. At a sign-out, the data of the old page disappears before the new page is shown. */
  readonly isLeft: () => boolean;
  readonly onReload: () => void;
  readonly children: ReactNode;
};

/** Shows that a page has failed, until another one is opened. */
class Boundary extends Component<BoundaryProps, { readonly failure: { readonly error: unknown; readonly path: string } | null }> {
  override state = { failure: null as { readonly error: unknown; readonly path: string } | null };

  override componentDidCatch(error: unknown): void {
    this.setState({ failure: { error, path: this.props.path } });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { path, isLeft, onReload, children } = this.props;
    if (failure?.path !== path) return children;
    if (isLeft()) return null;
    const reload = () => {
      this.setState({ failure: null });
      onReload();
    };
    return <Broken error={failure.error} onReload={reload} />;
  }
}

/** Requests everything that the first page needs concurrently. A request that fails is sent again where its result is needed. */
export function headStart(client: QueryClient, path: string): void {
  if (isSignInPage(path)) return;
  void client.prefetchQuery(meQuery);
  for (const load of [loadLayout, routeAt(path).load]) void load().catch(() => {});
}
