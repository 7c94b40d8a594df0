import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Broken, NotFound } from '../layout/NotFound.tsx';
import { pageRows } from '../pages.ts';
import { parseSearch, type Search, stringifySearch } from './address.ts';
import { fits } from './fits.ts';
import { meQuery } from './me.ts';
import { isProblem } from './problem.ts';

/** The routes, made from the table of pages. */

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  validateSearch: (search: Record<string, unknown>) => search as Search,
  search: { middlewares: [retainSearchParams(['entity'])] },
  notFoundComponent: NotFound,
});

const lazily = (load: () => Promise<ComponentType>) => lazyRouteComponent(async () => ({ default: await load() }));

const doors = [
  { path: '/sign-in', load: async () => (await import('../pages/signIn/SignIn.tsx')).SignIn },
  { path: '/welcome', load: async () => (await import('../pages/signIn/Welcome.tsx')).Welcome },
];
const outside = doors.map(({ path, load }) => createRoute({ getParentRoute: () => root, path, component: lazily(load) }));

/** The pages before sign-in have no layout around them. */
const loadLayout = async (): Promise<ComponentType> => (await import('../layout/Layout.tsx')).Layout;

/** The pages after sign-in. Without a session they redirect to sign-in, which returns to them. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: lazily(loadLayout),
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(meQuery);
    } catch (error) {
      if (isProblem(error) && error.status === 401)
        throw redirect({ to: '/sign-in', search: { back: location.href }, replace: true });
      throw error;
    }
  },
  errorComponent: Broken,
});

const within = pageRows.map(({ path, load }) =>
  createRoute({ getParentRoute: () => inside, path, component: lazily(load), errorComponent: Broken }),
);

const elsewhere = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound });

export const createOfficeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([...outside, inside.addChildren([...within, elsewhere])]),
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 400,
    scrollRestoration: true,
  });

/** What the first page needs is asked for at once, not one thing after the other. What fails is asked for again where it is needed. */
export function headStart(client: QueryClient, path: string): void {
  if (doors.some((door) => door.path === path)) return;
  const page = pageRows.find((row) => fits(row.path, path));
  void client.prefetchQuery(meQuery);
  for (const load of [loadLayout, page?.load]) void load?.().catch(() => {});
}
