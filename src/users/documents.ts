/**
 * One thing that the people of the back office keep: a user, a session, an invitation, a view they saved. Few, small, found by their
 * names or by whom they belong to, and changed by one person at a time: one table for all of them is enough.
 */
export type Paper<Body = unknown> = {
  /** What kind of thing it is. */
  readonly drawer: string;
  readonly id: string;
  /** Whose it is: a user, an entity, or '' where it belongs to everybody. */
  readonly ownerId: string;
  /** When it was made, or until when it is good: what its drawer is sorted by. */
  readonly at: number;
  /** 1 when it is new. */
  readonly revision: number;
  /** What JSON can carry. */
  readonly body: Body;
};

/** A paper as it will be, or the name and revision of one that goes. */
export type PaperChange = Paper | (Pick<Paper, 'drawer' | 'id' | 'revision'> & { readonly isGone: true });

export type PapersQuestion = {
  readonly drawer: string;
  readonly ownerId: string;
  /** Only what is older than this: by `at`, then by id. */
  readonly before?: { readonly at: number; readonly id: string };
  readonly limit: number;
};

export interface CabinetStore {
  paper(drawer: string, id: string): Promise<Paper | null>;
  /** The youngest first. */
  papers(asked: PapersQuestion): Promise<readonly Paper[]>;
  /** All of them or none, each on the revision before it (a paper that goes: on the one it names); false: somebody was faster. */
  filePapers(changes: readonly PaperChange[]): Promise<boolean>;
  /** Throws away what is older than an instant; answers how many. */
  forgetPapers(drawer: string, before: number): Promise<number>;
}
