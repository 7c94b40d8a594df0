import { notifications } from '@mantine/notifications';
import {
  type InfiniteData,
  keepPreviousData,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { type AnswerOf, callApi, isProblem, type Places, type Problem, problemText, type Values } from './api.ts';

export type QueryOptions = {
  readonly places?: Places;
  /** The interval of automatic refreshes in milliseconds, while the page is visible. */
  readonly everyMs?: number;
  /** False: no request is sent yet. */
  readonly isWanted?: boolean;
};

const keyOf = (name: AdminEndpointName, values: object, places: Places = {}) => [name, values, places] as const;

/** The answer of an endpoint, kept and shared between the pages. The earlier answer stays while a new one is loaded. */
export function useApiQuery<Name extends AdminEndpointName>(
  name: Name,
  values: Partial<Values<Name>> = {},
  { places, everyMs, isWanted = true }: QueryOptions = {},
): UseQueryResult<AnswerOf<Name>, Problem> {
  return useQuery<AnswerOf<Name>, Problem>({
    queryKey: keyOf(name, values, places),
    queryFn: ({ signal, client, queryKey }) => {
      const isByItself = client.getQueryData(queryKey) !== undefined;
      return callApi(name, values, places, { signal, isByItself });
    },
    enabled: isWanted,
    placeholderData: keepPreviousData,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

export type ListOptions<Name extends AdminEndpointName, Row> = QueryOptions & {
  readonly rowsOf: (answer: AnswerOf<Name>) => readonly Row[];
  /** Returns the cursor of the next page, sent as `after`; null when there is none. `next` of the answer if left out. */
  readonly nextOf?: (answer: AnswerOf<Name>) => string | null;
};

/** Filters from the address bar are strings that the server checks. */
export type ListValues<Name extends AdminEndpointName> = {
  readonly [Field in keyof Values<Name>]?: string | number | boolean | undefined;
};

/** The state of a list: the rows so far, and `more` for the button below them. */
export type ListState<Row> = {
  /** The endpoint that the rows come from. */
  readonly source: AdminEndpointName;
  readonly rows: readonly Row[] | undefined;
  /** The rows answer the previous question; the next answer is on its way. */
  readonly isStale: boolean;
  readonly problem: Problem | null;
  readonly retry: () => void;
  readonly more: { readonly load: () => void; readonly isLoading: boolean } | null;
};

const nextIn = (answer: unknown): string | null => (answer as { readonly next?: string | null }).next ?? null;

/** Loads a list, page by page where the endpoint has pages. */
export function useApiList<Name extends AdminEndpointName, Row>(
  name: Name,
  values: ListValues<Name>,
  { rowsOf, nextOf = nextIn, places, everyMs, isWanted = true }: ListOptions<Name, Row>,
): ListState<Row> {
  const query = useInfiniteQuery<AnswerOf<Name>, Problem, InfiniteData<AnswerOf<Name>>, readonly unknown[], string | null>({
    queryKey: [...keyOf(name, values, places), 'pages'],
    queryFn: ({ pageParam, signal, client, queryKey }) => {
      // Loading a known page again is an automatic refresh.
      const isByItself = client.getQueryData<InfiniteData<unknown>>(queryKey)?.pageParams.includes(pageParam) ?? false;
      const asked = { ...values, ...(pageParam !== null && { after: pageParam }) } as Partial<Values<Name>>;
      return callApi(name, asked, places, { signal, isByItself });
    },
    initialPageParam: null,
    getNextPageParam: (last) => nextOf(last),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
  return {
    source: name,
    rows: query.data?.pages.flatMap(rowsOf),
    isStale: query.isPlaceholderData,
    problem: query.error,
    retry: () => void query.refetch(),
    more: query.hasNextPage ? { load: () => void query.fetchNextPage(), isLoading: query.isFetchingNextPage } : null,
  };
}

export type CommandOptions<Name extends AdminEndpointName> = {
  /** The toast after success. */
  readonly says?: string | ((answer: AnswerOf<Name>) => string);
  readonly onDone?: (answer: AnswerOf<Name>) => void;
  /** True: the form shows the problem itself. */
  readonly isQuiet?: boolean;
  /** True: needs a step-up, although the endpoint does not always. */
  readonly isSensitive?: boolean;
};

export type CommandRequest<Name extends AdminEndpointName> = {
  readonly values?: Partial<Values<Name>>;
  readonly places?: Places;
  readonly file?: Blob;
};

/** A command: `run({ values, places })`. Shows the result as a toast and loads all shown data again. */
export function useApiCommand<Name extends AdminEndpointName>(
  name: Name,
  { says, onDone, isQuiet = false, isSensitive = false }: CommandOptions<Name> = {},
) {
  const client = useQueryClient();
  const t = useTexts(shellTexts);
  const closeButtonProps = { 'aria-label': t.close };
  const mutation = useMutation<AnswerOf<Name>, Problem, CommandRequest<Name>>({
    mutationFn: ({ values, places, file }) => callApi(name, values, places, { isSensitive, ...(file && { file }) }),
    onSuccess: (answer) => {
      const message = typeof says === 'function' ? says(answer) : says;
      if (message !== undefined) notifications.show({ message, color: 'good', closeButtonProps });
      onDone?.(answer);
      void client.invalidateQueries();
    },
    onError: (problem) => {
      if (!isQuiet && isProblem(problem)) {
        notifications.show({ message: problemText(problem, t), color: 'bad', role: 'alert', closeButtonProps });
      }
    },
  });
  return {
    run: mutation.mutate,
    runAndWait: mutation.mutateAsync,
    isRunning: mutation.isPending,
    problem: mutation.error,
    answer: mutation.data,
    reset: mutation.reset,
  };
}
